import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeConfig } from '../../../src/config/mergeConfig.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createPluginManager } from '../../../src/plugins/createPluginManager.ts';

/** What is left of a process after a number of reloads. */
export interface Footprint {
  readonly heapBytes: number;
  /** Timers, sockets and the like that keep the process alive. */
  readonly resources: readonly string[];
  readonly processListeners: number;
  readonly runningServices: number;
}

/** How often before the first look, and between that and the second one. */
const [warmUp = '', reloads = ''] = process.argv.slice(2);

/** TypeScript, CommonJS and JSON; hooks, a tool, a service with a timer, and 100 kB that only a leak would keep. */
const files: Readonly<Record<string, string>> = {
  'openclaw.plugin.json': '{ "id": "busy", "configSchema": { "type": "object" } }',
  'package.json': '{ "type": "commonjs" }',
  'data.json': '{ "word": "data" }',
  'helper.cjs': 'module.exports = { ballast: "x".repeat(100_000) };',
  'part.mts': 'export const part = { text: "y".repeat(100_000) };',
  'index.ts': `
import data from './data.json';
import { part } from './part.mts';
import { jsonResult } from 'openclaw/plugin-sdk';
const helper = require('./helper.cjs');
export default (api: any) => {
  const kept = [data.word, helper.ballast, part.text, 'z'.repeat(100_000)];
  let timer: NodeJS.Timeout | undefined;
  for (const hook of ['before_tool_call', 'agent_end', 'session_start']) api.on(hook, () => void kept.length);
  api.registerTool({ name: 'busy', description: 'Busy.', parameters: { type: 'object', properties: {} }, execute: () => jsonResult(kept.length) });
  api.registerCommand({ name: 'busy', handler: () => kept[0] });
  api.registerService({ id: 'ticker', start() { timer = setInterval(() => kept.length, 60_000); globalThis.running += 1; }, stop() { clearInterval(timer); globalThis.running -= 1; } });
  api.registerRuntimeLifecycle({ id: 'cache', cleanup() { kept.length = 0; } });
};`,
};

async function reloadOften(): Promise<readonly Footprint[]> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-reloads-')));
  const plugin = join(root, 'home/plugins/busy');
  await mkdir(plugin, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(plugin, name), text);
  Object.assign(globalThis, { running: 0 });
  const manager = createPluginManager({
    fs: createNodeFileSystem(),
    clock: systemClock,
    log: { write: () => undefined },
    bundledDir: undefined,
    home: join(root, 'home'),
    stateDir: join(root, 'state'),
    coreToolNames: [],
    reservedCommands: [],
    settings: { set: () => Promise.reject(new Error('nothing is set here')) },
  });
  const config = mergeConfig({}, []).config.plugins;
  try {
    await manager.load({ roots: [], trusted: true, config });
    const [record] = manager.plugins();
    if (record?.status !== 'loaded') throw new Error(`busy does not run: ${record?.reason ?? 'not found'}`);
    const reload = async (times: number): Promise<Footprint> => {
      for (let count = 0; count < times; count += 1) {
        // Every second time with other content: a new snapshot, as after an edit.
        if (count % 2 === 0)
          await writeFile(join(plugin, 'data.json'), `{ "word": "data ${String(count % 8)}" }`);
        await manager.reload('busy');
        manager.tools({});
      }
      return await footprint();
    };
    return [await reload(Number(warmUp)), await reload(Number(reloads))];
  } finally {
    await manager.close();
    await rm(root, { recursive: true });
  }
}

async function footprint(): Promise<Footprint> {
  // Finalisers run between turns of the event loop, so one collection is not enough.
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return {
    heapBytes: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().sort(),
    processListeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    runningServices: Number(Reflect.get(globalThis, 'running')),
  };
}

process.stdout.write(JSON.stringify(await reloadOften()));
