import { describe, expect, it } from 'vitest';
import { planModelAddress } from './planModelAddress.ts';
import { statusError, type FailedAnswer } from './statusError.ts';

function errorFor(answer: Partial<FailedAnswer>, apiKey: string | undefined = 'sk-secret') {
  const { server } = planModelAddress({
    api: 'openai-compatible',
    baseUrl: 'http://x:9/v1/',
    model: 'qwen',
    apiKey,
    headers: {},
  });
  return statusError(server, { status: 400, body: '', ...answer });
}

describe('statusError', () => {
  it.each([
    [401, 'model_unauthorized'],
    [403, 'model_unauthorized'],
    [404, 'model_gone'],
    [429, 'model_rate_limited'],
    [413, 'model_context_overflow'],
    [400, 'model_rejected'],
    [422, 'model_rejected'],
    [500, 'model_unavailable'],
    [503, 'model_unavailable'],
    [302, 'model_gone'],
    [402, 'model_quota'],
    [408, 'model_unavailable'],
    [529, 'model_unavailable'],
  ])('takes status %i as %s', (status, code) => {
    expect(errorFor({ status }).code).toBe(code);
  });

  it('says how to set a key, and whether one was sent', () => {
    expect(errorFor({ status: 401 }).message).toContain('did not accept the API key');
    expect(errorFor({ status: 401 }, '').message).toContain('none is set');
    expect(errorFor({ status: 401 }).hint).toContain('Pincer: Add Model…');
  });

  it('names model and base URL where nothing was found', () => {
    expect(errorFor({ status: 404 }).message).toContain('http://x:9/v1 has no model “qwen”');
  });

  it.each([
    [20_000, '20 s'],
    [400, '1 s'],
    [600_000, '10 min'],
  ])('says how long to wait: %i ms', (retryAfterMs, text) => {
    expect(errorFor({ status: 429, retryAfterMs }).message).toContain(`Try again in ${text}.`);
  });

  it('takes a limit that names a time for one that passes, however it is worded', () => {
    const body = JSON.stringify({ error: { message: 'You exceeded your current quota' } });
    expect(errorFor({ status: 429, body, retryAfterMs: 1000 }).code).toBe('model_rate_limited');
    expect(errorFor({ status: 429, body }).code).toBe('model_quota');
  });

  it.each([
    "This model's maximum context length is 8192 tokens.",
    'the request exceeds the available context size',
    'prompt is too long: 210000 tokens',
    'Trying to keep the first 9000 tokens when context the overflows. n_ctx 4096',
  ])('knows a conversation that is too long: %s', (message) => {
    expect(errorFor({ status: 400, body: JSON.stringify({ error: { message } }) }).code).toBe(
      'model_context_overflow',
    );
  });

  it.each([
    ['{"error":{"message":"no such thing"}}', 'no such thing'],
    ['{"error":"no such thing"}', 'no such thing'],
    ['{"message":"no such thing"}', 'no such thing'],
    ['{"detail":[{"msg":"no such thing"}]}', '[{"msg":"no such thing"}]'],
    ['<h1>no such thing</h1>', '<h1>no such thing</h1>'],
  ])('quotes what the server said in %s', (body, said) => {
    expect(errorFor({ status: 400, body }).message).toContain(`: ${said}`);
  });

  it('quotes at most 200 characters, and none that are hidden', () => {
    const { message } = errorFor({ status: 400, body: `a\u202Eb\u0000c\n${'x'.repeat(5000)}` });
    expect(message).toContain(': abc xxx');
    expect(message.length).toBeLessThan(300);
  });

  it('never shows the key, not even where the quote is cut', () => {
    for (let pad = 0; pad < 220; pad += 1) {
      const { message, hint } = errorFor({ status: 400, body: `${'.'.repeat(pad)}sk-secret` });
      expect(`${message}${hint ?? ''}`).not.toMatch(/sk-/);
    }
  });
});
