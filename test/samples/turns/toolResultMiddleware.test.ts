import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../../src/host/node/createNodeHost.ts';
import { writeInstallRecord } from '../../../src/plugins/install/installRecord.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const read = { toolCalls: [{ name: 'read', arguments: { path: 'log.txt' } }] };
const list = { toolCalls: [{ name: 'ls', arguments: {} }] };
const done = { text: 'Done.' };

/** A plugin as an author ships it: a folder with a manifest that declares its middleware. */
function reducer(code: string, runtimes: readonly string[] = ['openclaw', 'codex']): Record<string, string> {
  return {
    'log.txt': 'noise noise noise answer=42 noise',
    '.pincer/plugins/reducer/openclaw.plugin.json': JSON.stringify({
      id: 'reducer',
      configSchema: { type: 'object' },
      contracts: { agentToolResultMiddleware: runtimes },
    }),
    '.pincer/plugins/reducer/index.js': `export default { id: 'reducer', register(api) { ${code} } };`,
  };
}

/** What the model read as results, over all its requests. */
function resultsIn(requests: readonly ModelRequest[]): string {
  return JSON.stringify(
    requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'toolResult')),
  );
}

async function runWith(files: Record<string, string>, ...calls: readonly object[]) {
  const world = await openTestRuntime({ files });
  const requests: ModelRequest[] = [];
  await world.say('look', [...calls, done], { seen: (request) => void requests.push(request) });
  return { world, results: resultsIn(requests) };
}

it('the model reads what middleware made of a result, and never what it took out', async () => {
  const { world, results } = await runWith(
    reducer(`api.registerAgentToolResultMiddleware(async ({ toolName, args, result }, { runtime }) => ({
      result: { ...result, content: [{ type: 'text', text: [runtime, toolName, args.path, /answer=\\d+/.exec(result.content[0].text)[0]].join(' ') }] },
    }), { matcher: ['read'] });`),
    read,
    list,
  );
  await using _ = world;
  expect(results).toContain('openclaw read log.txt answer=42');
  expect(results).not.toContain('noise');
  // Another tool than the matcher names.
  expect(results).toContain('.pincer/');
});

it('what middleware changes in the event it was given counts too, and the next one begins with it', async () => {
  const { world, results } = await runWith(
    reducer(`api.registerAgentToolResultMiddleware((event) => { event.result.content[0].text = 'short'; });
      api.registerAgentToolResultMiddleware(({ result }) => ({ result: { content: [{ type: 'text', text: result.content[0].text + ' and sweet' }] } }));`),
    read,
  );
  await using _ = world;
  expect(results).toContain('short and sweet');
});

it.each([
  ['throws', "throw new Error('secret noise')"],
  ['returns no result', "return { result: { content: 'x'.repeat, more: 1 } }"],
])('the result is withheld where middleware %s', async (_how, body) => {
  const { world, results } = await runWith(
    reducer(`api.registerAgentToolResultMiddleware(() => { ${body}; });`),
    read,
  );
  await using _ = world;
  expect(results).toContain('Plugin \\"reducer\\" withheld the result: its middleware failed on it');
  expect(results).not.toContain('noise');
});

it('middleware that the manifest does not declare for a runtime is refused with the reason', async () => {
  const { world, results } = await runWith(
    reducer("api.registerAgentToolResultMiddleware(() => ({ result: { content: 'gone' } }));", ['openclaw']),
    read,
  );
  await using _ = world;
  expect(results).toContain('answer=42');
  expect(world.runtime.workspace.diagnostics().map(({ message }) => message)).toContain(
    'plugin must declare contracts.agentToolResultMiddleware for: codex',
  );
});

it.each([
  ['runs for one that was installed', true, '42'],
  ['is refused for one that nobody has enabled', false, 'noise noise noise answer=42 noise'],
])('middleware of a plugin of the user %s', async (_how, isInstalled, seen) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-middleware-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const folder = join(home, 'plugins', 'reducer');
  const code = `api.registerAgentToolResultMiddleware(({ result }) => ({ result: { content: [{ type: 'text', text: /\\d+/.exec(result.content[0].text)[0] }] } }));`;
  const { 'log.txt': log = '', ...files } = reducer(code);
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, basename(path)), text);
  const about = { source: folder, installedAt: '2026-11-27T00:00:00.000Z', hash: '' };
  const { fs } = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  if (isInstalled)
    await writeInstallRecord(fs, home, 'reducer', { version: 1, id: 'reducer', folder, ...about });
  await using world = await openTestRuntime({ root, isRecorded: false, files: { 'log.txt': log } });
  const requests: ModelRequest[] = [];
  await world.say('look', [read, done], { seen: (request) => void requests.push(request) });
  expect(resultsIn(requests)).toContain(`"${seen}`);
  const refused = world.runtime.workspace
    .diagnostics()
    .filter(({ message }) => message.includes('explicitly enabled'));
  expect(refused).toHaveLength(isInstalled ? 0 : 1);
});

it('a call is told by the name that its plugin gives the tool for people, and the model reads the description of the tool', async () => {
  await using world = await openTestRuntime({
    plugins: {
      deploy: `module.exports = (api) => {
        api.registerTool({ name: 'ship', description: 'For the model.', parameters: { type: 'object', properties: {} }, execute: async () => 'shipped' });
        api.registerToolMetadata({ toolName: 'ship', displayName: 'Ship it', description: 'For people.', risk: 'high', tags: ['release'] });
        api.registerToolMetadata({ toolName: 'ship', risk: 'low' });
        api.registerToolMetadata({ toolName: 'other', risk: 'odd' });
        api.registerToolMetadata({});
      };`,
    },
    answer: 'allow-once',
  });
  const requests: ModelRequest[] = [];
  const script = [{ toolCalls: [{ name: 'ship', arguments: {} }] }, done];
  const { events } = await world.say('ship', script, { seen: (request) => void requests.push(request) });
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_started', label: 'Ship it' }));
  const told = requests.flatMap(({ tools }) => tools.filter(({ name }) => name === 'ship'));
  expect(told[0]?.description).toBe('For the model.');
  const [found] = world.runtime.tools.catalogFor(world.session).explain('ship');
  expect(found?.tool.display).toEqual({ description: 'For people.', risk: 'high', tags: ['release'] });
  expect(world.runtime.workspace.diagnostics().map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'tool metadata already registered: ship (deploy)',
      'tool metadata registration has invalid metadata: other',
      'tool metadata registration missing toolName',
    ]),
  );
});
