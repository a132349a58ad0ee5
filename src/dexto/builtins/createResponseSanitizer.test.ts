import { expect, it } from 'vitest';
import type { BeforeResponsePayload, PluginResult } from '../dextoTypes.ts';
import { createResponseSanitizer } from './createResponseSanitizer.ts';

async function sanitize(
  config: Record<string, unknown>,
  payload: Pick<BeforeResponsePayload, 'content' | 'reasoning'>,
): Promise<PluginResult | undefined> {
  const plugin = createResponseSanitizer();
  await plugin.initialize?.(config);
  // It uses nothing of its context.
  return plugin.beforeResponse?.({ ...payload, provider: 'test' }, {} as never);
}

it('says nothing where there is nothing to say', async () => {
  const config = { redactEmails: true, redactApiKeys: true, maxResponseLength: 5 };
  expect(await sanitize(config, { content: 'hello', reasoning: 'long enough' })).toEqual({ ok: true });
});

it('takes secrets out of the answer and of the reasoning', async () => {
  const result = await sanitize(
    { redactEmails: true, redactApiKeys: true },
    { content: 'It is password=hunter2.', reasoning: 'me@example.com asked' },
  );
  expect(result).toMatchObject({
    ok: true,
    modify: { content: 'It is password=[REDACTED].', reasoning: '[EMAIL] asked' },
    notices: [{ code: 'API_KEY_REDACTED' }, { code: 'EMAIL_REDACTED' }],
  });
});

it('lets maxResponseLength characters stay and adds the line that says so, after secrets are gone', async () => {
  const result = await sanitize(
    { maxResponseLength: 8, redactEmails: true },
    { content: 'a@example.com and more' },
  );
  expect(result).toMatchObject({
    modify: { content: '[EMAIL] \n[Response truncated]' },
    notices: [
      { code: 'EMAIL_REDACTED' },
      { kind: 'warn', code: 'RESPONSE_TRUNCATED', details: { limit: 8 } },
    ],
  });
});

it('cuts no character in two', async () => {
  const result = await sanitize({ maxResponseLength: 2 }, { content: 'a😀b' });
  expect(result?.modify).toEqual({ content: 'a\n[Response truncated]' });
});

it('leaves out what is as it was', async () => {
  const result = await sanitize({ redactEmails: true }, { content: 'hello', reasoning: 'me@example.com' });
  expect(result?.modify).toEqual({ reasoning: '[EMAIL]' });
});
