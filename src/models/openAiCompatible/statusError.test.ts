import { describe, expect, it } from 'vitest';
import { planModelAddress } from './modelServer.ts';
import { statusError, type FailedAnswer } from './statusError.ts';

const now = Date.parse('2026-11-21T08:00:00Z');

function errorFor(answer: Partial<FailedAnswer>, apiKey: string | undefined = 'sk-secret') {
  const { server } = planModelAddress({ baseUrl: 'http://x:9/v1/', model: 'qwen', apiKey, headers: {} });
  return statusError(server, { status: 400, body: '', ...answer }, now);
}

describe('statusError', () => {
  it.each([
    [401, 'model_unauthorized'],
    [403, 'model_unauthorized'],
    [404, 'model_not_found'],
    [429, 'model_rate_limited'],
    [413, 'model_context_overflow'],
    [400, 'model_rejected'],
    [422, 'model_rejected'],
    [500, 'model_unavailable'],
    [503, 'model_unavailable'],
    [302, 'model_unavailable'],
  ])('takes status %i as %s', (status, code) => {
    expect(errorFor({ status }).code).toBe(code);
  });

  it('says how to set a key, and whether one was sent', () => {
    expect(errorFor({ status: 401 }).message).toContain('did not accept the API key');
    expect(errorFor({ status: 401 }, '').message).toContain('none is set');
    expect(errorFor({ status: 401 }).hint).toContain('Pincer: Add Model');
  });

  it('names model and base URL where nothing was found', () => {
    expect(errorFor({ status: 404 }).message).toContain('http://x:9/v1 has no model “qwen”');
  });

  it.each([
    ['20', '20 s'],
    ['0.4', '1 s'],
    ['600', '10 min'],
    ['Sat, 21 Nov 2026 08:01:00 GMT', '60 s'],
  ])('reads Retry-After: %s', (retryAfter, text) => {
    expect(errorFor({ status: 429, retryAfter }).message).toContain(`Try again in ${text}.`);
  });

  it.each(['', 'soon', 'Sat, 21 Nov 2020 08:01:00 GMT'])(
    'names no time for Retry-After: “%s”',
    (retryAfter) => {
      expect(errorFor({ status: 429, retryAfter }).message).toContain('Try again later.');
    },
  );

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

  it('tells how to check a local server by its port', () => {
    const { server } = planModelAddress({
      baseUrl: 'http://localhost:11434/v1',
      model: 'm',
      apiKey: undefined,
      headers: {},
    });
    expect(statusError(server, { status: 500, body: '' }, now).hint).toContain('ollama serve');
  });
});
