import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { Session as Inspector } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { projectRoot, testResultsDir } from '../../scripts/projectRoot.ts';
import { createHookRegistry, createHookRunner, type HookRunner } from '../../src/hooks/hookRunner.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../src/models/replay/createReplayModel.ts';
import { createRuntime } from '../../src/runtime/createRuntime.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { createDiskFiles } from '../../src/tools/createDiskFiles.ts';
import { openEngineWorld } from '../builders/openEngineWorld.ts';
import type { Bench, Figure } from './bench.ts';

/** Files of `src` in which a function ran, by their path from there. */
type Opened = readonly string[];

/** The bars that docs/architecture.md names: how many files each may open. */
const bars = {
  'hook that only observes': 4,
  'hook that changes parameters': 4,
  'tool call': 5,
  turn: 8,
  'changed file to hit': 12,
} as const;

/**
 * How many files run between entry and effect: what someone who wants to understand the whole of a flow would have to open. One real
 * run each, told by V8's coverage; files of types alone do not run. Leaves the names in test-results/openings.json.
 */
export const bench: Bench = {
  name: 'openings',
  needsEditor: false,
  async run() {
    const counter = await createCounter();
    const flows: Record<keyof typeof bars, Opened> = {
      ...(await hookFlows(counter)),
      ...(await turnFlows(counter)),
      'changed file to hit': await memoryFlow(counter),
    };
    await mkdir(testResultsDir, { recursive: true });
    await writeFile(join(testResultsDir, 'openings.json'), `${JSON.stringify(flows, null, 2)}\n`);
    return Object.entries(flows).flatMap(([name, files]) => figuresOf(name as keyof typeof bars, files));
  },
};

/** All files against the bar, and those of each folder that has more than two. */
function figuresOf(name: keyof typeof bars, files: Opened): readonly Figure[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.slice(0, file.indexOf('/'));
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const parts = [...folders]
    .filter(([, { length }]) => length > 2)
    .sort(([, a], [, b]) => b.length - a.length);
  return [
    { name, value: files.length, unit: 'files', below: bars[name] + 1 },
    ...parts.map(([folder, { length }]): Figure => ({
      name: `${name}, in ${folder}`,
      value: length,
      unit: 'files',
    })),
  ];
}

interface Counter {
  start(): Promise<void>;
  stop(): Promise<Opened>;
}

async function createCounter(): Promise<Counter> {
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post('Profiler.enable');
  const source = join(projectRoot, 'src');
  return {
    async start() {
      await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      // Forgets what ran while the modules were loaded.
      await inspector.post('Profiler.takePreciseCoverage');
    },
    async stop() {
      const { result } = await inspector.post('Profiler.takePreciseCoverage');
      await inspector.post('Profiler.stopPreciseCoverage');
      const ran = result.filter(({ url, functions }) => {
        if (!url.startsWith('file:')) return false;
        // The function without a name at offset 0 is the module itself.
        const own = functions.filter(
          ({ functionName, ranges }) => functionName !== '' || ranges[0]?.startOffset !== 0,
        );
        return own.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      });
      const files = ran.map(({ url }) => relative(source, fileURLToPath(url)));
      return files.filter((file) => !file.startsWith('..')).sort();
    },
  };
}

async function hookFlows(
  counter: Counter,
): Promise<Record<'hook that only observes' | 'hook that changes parameters', Opened>> {
  const event = {
    toolName: 'write',
    toolCallId: 'call',
    runId: 'run',
    params: { path: 'a.md', content: 'day' },
  };
  const context = { toolName: 'write', toolCallId: 'call', runId: 'run', sessionKey: 'main' };
  const runnerWith = (...[hook, handler]: Parameters<typeof registrationOf>): HookRunner => {
    const registry = createHookRegistry();
    registry.register(registrationOf(hook, handler));
    return createHookRunner({
      registry,
      clock: systemClock,
      report: ({ message }) => {
        throw new Error(message);
      },
    });
  };
  const observer = runnerWith('after_tool_call', async () => undefined);
  await counter.start();
  await observer.observe('after_tool_call', event, context);
  const observes = await counter.stop();
  const guard = runnerWith('before_tool_call', async () => ({ params: { path: 'b.md', content: 'day' } }));
  await counter.start();
  await guard.modify('before_tool_call', event, context);
  return { 'hook that only observes': observes, 'hook that changes parameters': await counter.stop() };
}

function registrationOf(
  hook: 'after_tool_call' | 'before_tool_call',
  handler: () => Promise<object | undefined>,
) {
  return { hook, pluginId: 'guard', handler, priority: 0, timeoutMs: 15_000, pluginConfig: {} };
}

/** A turn that writes one new file, which a person allows, without a plugin; and of it the call alone. */
async function turnFlows(counter: Counter): Promise<Record<'tool call' | 'turn', Opened>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-openings-')));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const host = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  const runtime = await createRuntime({
    host,
    home: join(folder, 'home'),
    stateFolder: join(folder, 'state'),
    dist: join(folder, 'without-bundled-plugins'),
    surface: 'cli',
    folders: [workspace],
    isTrusted: true,
    canAsk: true,
    reservedCommands: [],
    files: createDiskFiles(host.fs),
    fileLink: (path) => path,
  });
  try {
    runtime.approvals.onDidChange(() => {
      const [first] = runtime.approvals.pending();
      if (first === undefined) return;
      runtime.approvals.noteShownWhole(first.id, 'call');
      runtime.approvals.resolve(first.id, 'allow-once', 'chat');
    });
    // What only the first turn does is not counted.
    await say(runtime, 'a.md', counter, undefined);
    return {
      'tool call': await say(runtime, 'b.md', counter, 'tool call'),
      turn: await say(runtime, 'c.md', counter, 'turn'),
    };
  } finally {
    await runtime.stop('shutdown');
    await rm(folder, { recursive: true, force: true });
  }
}

async function say(
  runtime: Runtime,
  path: string,
  counter: Counter,
  counted: 'tool call' | 'turn' | undefined,
): Promise<Opened> {
  const script = [{ toolCalls: [{ name: 'write', arguments: { path, content: 'day' } }] }, { text: 'Done.' }];
  const model = createReplayModel({
    script: script.map((line) => JSON.stringify(line)).join('\n'),
    name: 'openings',
    clock: systemClock,
  });
  let opened: Promise<Opened> | undefined;
  if (counted === 'turn') await counter.start();
  const run = await runtime.turns.start({
    session: runtime.conversations.create(),
    prompt: `Write ${path}.`,
    attachments: [],
    model,
    signal: new AbortController().signal,
    emit({ type }) {
      if (counted !== 'tool call') return;
      if (type === 'tool_started') void counter.start();
      if (type === 'tool_ended') opened = counter.stop();
    },
  });
  const outcome = await run.outcome;
  await run.settled;
  if (outcome.status !== 'completed')
    throw new Error(`The turn did not complete: ${JSON.stringify(outcome)}`);
  if (counted === 'turn') opened = counter.stop();
  return (await opened) ?? [];
}

/** From the news that one of two files has changed to the search that finds its new words. */
async function memoryFlow(counter: Counter): Promise<Opened> {
  const world = await openEngineWorld({
    'boat.md': '# Boat\n\nShe leaks.\n',
    'car.md': '# Car\n\nIt is old.\n',
  });
  try {
    const engine = await world.open();
    await engine.ask('leaks');
    await world.write('car.md', '# Car\n\nThe gearbox is broken.\n');
    await counter.start();
    await engine.changed([world.path('car.md')]);
    await engine.until(async () => (await engine.labels('gearbox')).includes('car.md'));
    return await counter.stop();
  } finally {
    await world.close();
  }
}
