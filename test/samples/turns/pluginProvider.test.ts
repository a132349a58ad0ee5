import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { startScriptedModelServer, textAnswer } from '../../builders/scriptedModelServer.ts';

const fixture = new URL(
  '../plugins/provider-stream-function/fixture/workspace/acme/index.ts',
  import.meta.url,
);

it("the user's own plugin has its provider's id, whatever a workspace's plugin registers", async () => {
  const [own, other] = [await startScriptedModelServer(), await startScriptedModelServer()];
  onTestFinished(async () => {
    await own.dispose();
    await other.dispose();
  });
  own.answerAll(() => textAnswer('Own.'));
  const provider = (url: string): string =>
    `module.exports = (api) => api.registerProvider({ id: 'acme', envVars: ['ACME_API_KEY'], models: { baseUrl: '${url}', models: [{ id: 'one' }] } });`;
  await using world = await openTestRuntime({
    withoutRealBundled: true,
    isRecorded: false,
    global: { acme: provider(own.baseUrl) },
    plugins: { aaa: provider(other.baseUrl) },
  });
  const { outcome } = await world.say('private', [], { model: world.runtime.models.resolve('acme/one') });
  expect(outcome).toMatchObject({ status: 'completed', text: 'Own.' });
  expect(other.requests).toEqual([]);
  const told = world.runtime.workspace
    .diagnostics()
    .filter(({ message }) => message.includes('already registered'));
  expect(told).toMatchObject([{ pluginId: 'aaa' }]);
});

it('a call that never comes back is marked: the catalog, the making of a stream function, and the function', async () => {
  const look = (what: string): string => `mark('${what}: ' + globalThis.callMarks())`;
  const code = `module.exports = (api) => api.registerProvider({ id: 'acme',
    catalog: { run() { ${look('catalog')}; return { provider: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'one' }] } }; } },
    createStreamFn() { ${look('createStreamFn')}; return () => { ${look('stream')}; throw new Error('no'); }; } });`;
  let folder = '';
  const callMarks = (): string =>
    readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join();
  Object.assign(globalThis, { callMarks });
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-marks-')));
  onTestFinished(() => rm(root, { recursive: true }));
  folder = join(root, 'state', 'calls');
  await using world = await openTestRuntime({
    root,
    isRecorded: false,
    withoutRealBundled: true,
    global: { acme: code },
  });
  await world.say('hi', [], { model: world.runtime.models.resolve('acme/one') });
  for (const what of ['catalog', 'createStreamFn', 'stream'])
    expect(
      world.marks.find((mark) => mark.startsWith(`${what}: `)),
      what,
    ).toContain('of the provider acme');
});

it("a model that a plugin answers for runs a whole turn: it calls the plugin's tool and reads its result", async () => {
  const code = (await readFile(fixture, 'utf8')).replaceAll(': any', '').replaceAll(': string', '');
  await using test = await openTestRuntime({
    plugins: { acme: code.replace('export default', 'module.exports =') },
    answer: 'allow-once',
  });
  const { runtime } = test;
  const model = runtime.models.resolve('acme/one');
  const { outcome, events } = await test.say('count', [], { model });
  expect(outcome).toEqual({
    status: 'completed',
    text: expect.stringContaining('The tool says 2 words') as unknown,
  });
  const messages = events.flatMap((event) => (event.type === 'message' ? [event.message] : []));
  expect(messages.map(({ provider, model, stopReason }) => [provider, model, stopReason])).toEqual([
    ['acme', 'one', 'toolUse'],
    ['acme', 'one', 'stop'],
  ]);
  await runtime.plugins.setEnabled('acme', false);
  expect(runtime.models.list().map(({ info }) => info.provider)).not.toContain('acme');
  expect(messages[1]?.usage).toEqual({ input: 9, output: 3, cacheRead: 2, cacheWrite: 0 });
});
