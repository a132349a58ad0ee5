import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const done = { type: 'done', stopReason: 'stop' } as const;
const counting = "module.exports = () => { mark('loaded'); };";
const server = (...ids: readonly string[]) => ({
  api: 'openai-compatible',
  baseUrl: 'http://localhost:1/v1',
  models: ids.map((id) => ({ id })),
});
const providers = (byId: Record<string, unknown>) => ({ models: { providers: byId } });

it('starts with two models of one name, reports the second and offers the others, after a reload too', async () => {
  await using test = await openTestRuntime({
    config: providers({ local: server('a', 'a', 'a', 'b'), pincer: server('built-in') }),
  });
  const names = () => test.runtime.models.list().map(({ info }) => `${info.provider}/${info.model}`);
  const problems = () => test.runtime.workspace.diagnostics().map(({ code }) => code);
  expect(names()).toEqual(['pincer/built-in', 'local/a', 'local/b']);
  expect(problems()).toEqual(['model_duplicate', 'model_duplicate']);
  await test.runtime.workspace.reloadConfig();
  expect(names()).toEqual(['pincer/built-in', 'local/a', 'local/b']);
  expect(problems()).toEqual(['model_duplicate', 'model_duplicate']);
  await writeFile(join(test.runtime.workspace.home, 'config.jsonc'), '{}');
  await test.runtime.workspace.reloadConfig();
  expect(problems()).toEqual([]);
});

it('loads one after the other, however many are asked for at once', async () => {
  await using test = await openTestRuntime({ config: providers({ local: server('a') }) });
  const { runtime } = test;
  await Promise.all([
    runtime.workspace.reloadConfig(),
    runtime.workspace.reload(),
    runtime.workspace.update({ folders: [test.workspace], isTrusted: true }),
    runtime.workspace.reloadConfig(),
  ]);
  expect(runtime.workspace.diagnostics()).toEqual([]);
  expect(runtime.models.list()).toHaveLength(2);
});

it('loads unchanged plugins again for the user, not for a saved config', async () => {
  await using test = await openTestRuntime({ plugins: { counter: counting } });
  const before = test.marks.length;
  await test.runtime.workspace.reloadConfig();
  expect(test.marks).toHaveLength(before);
  await test.runtime.workspace.reload();
  expect(test.marks).toHaveLength(before + 1);
});

it('reloads only when no turn runs', async () => {
  await using test = await openTestRuntime({ plugins: { counter: counting } });
  const model = createHeldModel([['wait', done]]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  const before = test.marks.length;
  await writeFile(
    join(test.runtime.workspace.home, 'config.jsonc'),
    JSON.stringify(providers({ local: server('a') })),
  );
  const reloaded = Promise.all([test.runtime.workspace.reload(), test.runtime.plugins.reload('counter')]);
  // Goes through the same queue, so whatever was ready to load has loaded.
  await test.runtime.plugins.setEnabled('counter', true);
  expect(test.marks).toHaveLength(before);
  expect(test.runtime.models.list()).toHaveLength(1);
  model.release();
  await turn;
  await reloaded;
  expect(test.marks).toHaveLength(before + 2);
  expect(test.runtime.models.list()).toHaveLength(2);
});

it('disables a plugin while a turn runs', async () => {
  await using test = await openTestRuntime({
    plugins: {
      greeter: "module.exports = (api) => api.on('message_sending', () => ({ content: 'hello' }));",
    },
  });
  const model = createHeldModel([['wait', { type: 'text', text: 'mine' }, done]]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  await test.runtime.plugins.setEnabled('greeter', false);
  model.release();
  expect((await turn).shown).toBe('mine');
});

it('cancels the turns that run when trust is lost, and takes the plugins of the workspace away at once', async () => {
  await using test = await openTestRuntime({ plugins: { counter: counting } });
  const model = createHeldModel([['wait', done]]);
  const turn = test.say('hi', [], { model });
  await model.isWaiting;
  await test.runtime.workspace.update({ folders: [test.workspace], isTrusted: false });
  expect((await turn).outcome).toEqual({ status: 'cancelled' });
  expect(test.runtime.plugins.plugins().find(({ id }) => id === 'counter')?.status).not.toBe('loaded');
  expect((await test.say('again', [{ text: 'fine' }])).outcome.status).toBe('completed');
});

it('answers with the built-in model where the config names a model that is not there, and names the key', async () => {
  await using test = await openTestRuntime({ config: { model: 'local/none' } });
  expect(test.runtime.models.default().info.model).toBe('built-in');
  const [problem] = test.runtime.workspace.diagnostics();
  expect(problem).toMatchObject({
    code: 'model_unknown',
    source: join(test.runtime.workspace.home, 'config.jsonc'),
  });
  expect(problem?.message).toContain('local/none');
});

it('adds a second model of a server beside the first, and keeps the key that is there', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const add = (id: string, key: string, baseUrl = 'http://localhost:1/v1') =>
    runtime.models.add({
      api: 'openai-compatible',
      baseUrl,
      models: [{ id }],
      ...(key === '' ? {} : { key: { value: key } }),
    });
  await add('a', 'sk-1');
  await add('b', '');
  await add('a', '');
  await add('c', '', 'http://localhost:1/other/v1');
  const text = await readFile(join(runtime.workspace.home, 'config.jsonc'), 'utf8');
  expect(JSON.parse(text)).toEqual({
    model: 'localhost-1-2/c',
    models: {
      providers: {
        'localhost-1': { ...server('a', 'b'), apiKey: { secret: 'pincer.models.localhost-1' } },
        'localhost-1-2': { ...server('c'), baseUrl: 'http://localhost:1/other/v1' },
      },
    },
  });
  expect(runtime.models.list().map(({ info }) => info.model)).toEqual(['built-in', 'a', 'b', 'c']);
});

it('stores no key when the config can not be edited', async () => {
  await using test = await openTestRuntime();
  await writeFile(join(test.runtime.workspace.home, 'config.jsonc'), '{ broken');
  const added = test.runtime.models.add({
    api: 'openai-compatible',
    baseUrl: 'http://localhost:1/v1',
    key: { value: 'sk-1' },
    models: [{ id: 'a' }],
  });
  await expect(added).rejects.toMatchObject({ code: 'config_syntax' });
  expect(await test.runtime.host.secrets.get('pincer.models.localhost-1')).toBeUndefined();
});

it('writes nothing about a plugin whose files are no longer those that the user saw', async () => {
  await using test = await openTestRuntime({ plugins: { counter: counting } });
  const config = join(test.runtime.workspace.home, 'config.jsonc');
  await writeFile(config, '{}');
  await test.runtime.workspace.reloadConfig();
  await test.runtime.plugins.revokeConsent('counter');
  const enabled = test.runtime.plugins.setEnabled('counter', true, 'another hash');
  await expect(enabled).rejects.toMatchObject({ code: 'plugin_changed' });
  expect(await readFile(config, 'utf8')).toBe('{}');
});
