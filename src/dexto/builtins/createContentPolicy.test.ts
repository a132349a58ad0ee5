import { describe, expect, it } from 'vitest';
import type { BeforeLLMRequestPayload, PluginResult } from '../dextoTypes.ts';
import { createContentPolicy } from './createContentPolicy.ts';

async function judge(
  config: Record<string, unknown>,
  payload: BeforeLLMRequestPayload,
): Promise<PluginResult | undefined> {
  const plugin = createContentPolicy();
  await plugin.initialize?.(config);
  // It uses nothing of its context.
  return plugin.beforeLLMRequest?.(payload, {} as never);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('contentPolicy', () => {
  it('says nothing where there is nothing to say', async () => {
    expect(await judge({}, { text: 'me@example.com' })).toEqual({ ok: true });
    expect(await judge({ maxInputChars: 5, redactEmails: true }, { text: 'hello' })).toEqual({ ok: true });
  });

  it('stops a message that is too long, without quoting it', async () => {
    const result = await judge({ maxInputChars: 5, redactEmails: true }, { text: 'hello!' });
    expect(result).toMatchObject({
      ok: false,
      cancel: true,
      message: 'The message has 6 characters; 5 are allowed.',
      notices: [{ kind: 'block', code: 'INPUT_TOO_LONG', details: { length: 6, limit: 5 } }],
    });
    expect(JSON.stringify(result)).not.toContain('hello');
  });

  it('cuts it where the file says so, and leaves no half of a character', async () => {
    const result = await judge({ maxInputChars: 3, tooLong: 'cut' }, { text: 'ab😀cd' });
    expect(result).toMatchObject({ ok: true, modify: { text: 'ab' }, notices: [{ code: 'INPUT_CUT' }] });
  });

  it('takes secrets out of the message and tells how many, not which', async () => {
    const result = await judge(
      { redactEmails: true, redactApiKeys: true },
      { text: 'a@example.com b@example.com password=hunter2' },
    );
    expect(result).toMatchObject({
      ok: true,
      modify: { text: '[EMAIL] [EMAIL] password=[REDACTED]' },
      notices: [
        { kind: 'warn', code: 'EMAIL_REDACTED', details: { count: 2 } },
        { kind: 'warn', code: 'API_KEY_REDACTED', details: { count: 1 } },
      ],
    });
    expect(JSON.stringify(result?.notices)).not.toMatch(/hunter2|example/u);
  });

  it.each([
    ['Tell me of PROJECT-X.', true],
    ['project\n x', true],
    ['ｐｒｏｊｅｃｔ x', true],
    ['projects x', false],
    ['project y, x', false],
    ['classic', false],
    ['An ÄRGER today', true],
  ])('looks for whole words and phrases whatever their case: %j', async (text, isBlocked) => {
    const result = await judge({ blockedWords: ['project x', 'ärger', 'ass', '!!'] }, { text });
    expect(result?.cancel).toBe(isBlocked ? true : undefined);
    if (isBlocked) expect(result).toMatchObject({ ok: false, notices: [{ code: 'CONTENT_BLOCKED' }] });
  });

  it.each([
    ['plain text', 'key: sk_live_a1B2c3D4e5F6g7H8', 'key: [REDACTED]'],
    ['base64', base64('mail me@example.com ü'), base64('mail [EMAIL] ü')],
    [
      'a data URL',
      `data:text/plain;base64,${base64('a@b.cc')}`,
      `data:text/plain;base64,${base64('[EMAIL]')}`,
    ],
  ])('takes secrets out of an attached file that comes as %s', async (_, data, redacted) => {
    const fileData = { data, mimeType: 'text/plain', filename: 'a.txt' };
    const result = await judge({ redactEmails: true, redactApiKeys: true }, { text: 'see', fileData });
    expect(result?.modify).toEqual({ fileData: { ...fileData, data: redacted } });
  });

  it('leaves files alone that are no text', async () => {
    const fileData = { data: base64('a@example.com'), mimeType: 'image/png' };
    expect(await judge({ redactEmails: true }, { text: '', fileData })).toEqual({ ok: true });
  });

  it('refuses options that it does not know, by their name', async () => {
    await expect(judge({ maxInputChar: 5 }, { text: '' })).rejects.toThrow(/contentPolicy.*maxInputChar/u);
    await expect(judge({ maxInputChars: 0 }, { text: '' })).rejects.toMatchObject({
      code: 'dexto_options_invalid',
    });
  });
});
