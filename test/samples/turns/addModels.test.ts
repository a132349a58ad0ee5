import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { unknownFallbacks } from '../../../src/runtime/withFallbacks.ts';
import { mergeConfig } from '../../../src/config/mergeConfig.ts';

it('writes down what the server said of a model, and what is known of its service', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const cost = { input: 1, output: 2 };
  const told = { id: 'm/told', name: 'Told', contextWindow: 9_000, imageInput: true, thinking: true, cost };
  const router = { api: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1' } as const;
  const key = { env: 'OPENROUTER_API_KEY' };
  const name = await runtime.models.add({
    ...router,
    key,
    provider: 'openrouter',
    models: [told, { id: 'silent' }],
  });
  expect(name).toBe('openrouter/m/told');
  await runtime.models.add({
    api: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    key: { value: 'sk-1' },
    provider: 'anthropic',
    models: [{ id: 'claude' }],
  });
  const config = JSON.parse(await readFile(join(runtime.workspace.home, 'config.jsonc'), 'utf8')) as unknown;
  expect(config).toEqual({
    model: 'anthropic/claude',
    models: {
      providers: {
        openrouter: { ...router, apiKey: key, models: [told, { id: 'silent' }] },
        anthropic: {
          api: 'anthropic',
          baseUrl: 'https://api.anthropic.com/v1',
          apiKey: { secret: 'pincer.models.anthropic' },
          models: [{ id: 'claude', contextWindow: 200_000, maxOutputTokens: 8_192, imageInput: true }],
        },
      },
    },
  });
  expect(await runtime.host.secrets.get('pincer.models.anthropic')).toBe('sk-1');
  expect(runtime.models.default().info).toMatchObject({ provider: 'anthropic', imageInput: true });
  expect(runtime.models.resolve('openrouter/m/told').info).toMatchObject({ cost, thinking: true });
});

it('writes what a model costs beside the comments of the file, takes it out again, and knows no other model', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const file = join(runtime.workspace.home, 'config.jsonc');
  const server = { api: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } as const;
  await runtime.models.add({ ...server, provider: 'local', models: [{ id: 'a' }, { id: 'b/c' }] });
  await writeFile(file, `// mine\n${await readFile(file, 'utf8')}`);
  expect(runtime.models.configured().map(({ model }) => model)).toEqual(['a', 'b/c']);

  const cost = { input: 3, output: 15, cacheRead: 0.3 };
  await runtime.models.setCost({ provider: 'local', model: 'b/c' }, cost);
  expect(runtime.models.resolve('local/b/c').info.cost).toEqual(cost);
  expect(runtime.models.resolve('local/a').info.cost).toBeUndefined();
  expect(await readFile(file, 'utf8')).toMatch(/^\/\/ mine\n/u);

  await runtime.models.setCost({ provider: 'local', model: 'b/c' }, undefined);
  expect(runtime.models.resolve('local/b/c').info.cost).toBeUndefined();
  await expect(runtime.models.setCost({ provider: 'pincer', model: 'built-in' }, cost)).rejects.toMatchObject(
    {
      code: 'model_unknown',
    },
  );
});

it('names fallbacks that are not there, those of single agents too', async () => {
  await using test = await openTestRuntime();
  const { config } = mergeConfig(
    { agent: { fallbacks: ['built-in', 'a/b'] }, agents: { docs: { fallbacks: ['c/d'] } } },
    [],
  );
  expect(unknownFallbacks(test.runtime.models, config, 'config.jsonc').map(({ message }) => message)).toEqual(
    [
      'agent.fallbacks: there is no model “a/b”, so it is skipped.',
      'agents.docs.fallbacks: there is no model “c/d”, so it is skipped.',
    ],
  );
});
