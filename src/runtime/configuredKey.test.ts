import { expect, it } from 'vitest';
import type { ProviderConfig } from '../config/mergeConfig.ts';
import { createInMemorySecrets } from '../host/createInMemorySecrets.ts';
import { configuredKey } from './configuredKey.ts';

const host = {
  env: { A_KEY: 'from env', EMPTY: ' ' },
  secrets: createInMemorySecrets({ mine: 'from secrets' }),
};

function key(more: Partial<ProviderConfig>): Promise<string | undefined> | undefined {
  const provider: ProviderConfig = {
    api: 'openai-compatible',
    baseUrl: 'http://localhost:1/v1',
    models: [],
    ...more,
  };
  return configuredKey('acme', provider, host)?.();
}

it('reads a key from where the config says that it is', async () => {
  expect(await key({ apiKey: { env: 'A_KEY' } })).toBe('from env');
  expect(await key({ apiKey: { secret: 'mine' } })).toBe('from secrets');
});

it.each([
  [{ env: 'EMPTY' }, 'Set EMPTY and start again.'],
  [{ secret: 'gone' }, 'Run “Pincer: Add Model…” to enter it.'],
])('says what to do where nothing is there: %o', async (apiKey, hint) => {
  await expect(key({ apiKey })).rejects.toMatchObject({
    code: 'model_no_key',
    hint: expect.stringContaining(hint) as unknown,
  });
});

it('does not ask a service without the key that it needs', async () => {
  const openAi = { baseUrl: 'https://api.openai.com/v1' };
  await expect(key(openAi)).rejects.toMatchObject({
    code: 'model_no_key',
    message: 'OpenAI needs a key, and acme has none.',
  });
  expect(key({ ...openAi, headers: { authorization: 'x' } })).toBeUndefined();
});

it('needs none for a server that nobody knows', () => {
  expect(key({})).toBeUndefined();
});
