import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { createNodeHttpClient } from '../../src/host/node/nodeHttpClient.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { MemoryAnswer, MemorySearchOptions } from '../../src/memory/memory.ts';
import type { MemorySettings } from '../../src/memory/memorySettings.ts';
import { createMemoryEngine, type MemoryEngine } from '../../src/memory/engine/createMemoryEngine.ts';
import type { EngineDeps, MemoryEvent } from '../../src/memory/engine/engineState.ts';
import { memorySettingsFor } from './memorySettingsFor.ts';

/** A workspace in a temporary folder, and engines over it with everything real. */
export interface EngineWorld {
  /** Of the workspace. */
  readonly root: string;
  /** Of the index. */
  readonly folder: string;
  readonly settings: MemorySettings;
  path(label: string): string;
  write(label: string, text: string): Promise<void>;
  remove(label: string): Promise<void>;
  /** One that is not configured yet; `deps` stand in the place of the real ones. */
  create(deps?: Partial<EngineDeps>): TestEngine;
  /** One that has looked at all files. */
  open(settings?: Partial<MemorySettings>, deps?: Partial<EngineDeps>): Promise<TestEngine>;
  /** Ends all engines and removes the folders. */
  close(): Promise<void>;
}

export interface TestEngine extends MemoryEngine {
  readonly events: readonly MemoryEvent[];
  ask(query: string, options?: MemorySearchOptions): Promise<MemoryAnswer>;
  /** The labels of the hits. */
  labels(query: string, options?: MemorySearchOptions): Promise<readonly string[]>;
  /** Resolves once `check` holds. */
  until(check: () => Promise<boolean> | boolean): Promise<void>;
}

export const wasmFile = join(import.meta.dirname, '../../node_modules/sql.js/dist/sql-wasm.wasm');

const never = new AbortController().signal;

export async function openEngineWorld(files: Readonly<Record<string, string>> = {}): Promise<EngineWorld> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'pincer-memory-')));
  const root = join(base, 'workspace');
  const folder = join(base, 'state', 'memory');
  const engines: MemoryEngine[] = [];
  const path = (label: string): string => join(root, ...label.split('/'));
  const write = async (label: string, text: string): Promise<void> => {
    await mkdir(dirname(path(label)), { recursive: true });
    await writeFile(path(label), text);
  };
  await mkdir(root, { recursive: true });
  for (const [label, text] of Object.entries(files)) await write(label, text);
  const settings = memorySettingsFor(root, join(base, 'state', 'sessions'));

  const create = (deps: Partial<EngineDeps> = {}): TestEngine => {
    const engine = createTestEngine(folder, deps);
    engines.push(engine);
    return engine;
  };
  return {
    root,
    folder,
    settings,
    path,
    write,
    remove: (label) => rm(path(label), { recursive: true }),
    create,
    async open(changed = {}, deps) {
      const engine = create(deps);
      await engine.configure({ ...settings, ...changed });
      await engine.sync({}, never);
      return engine;
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
      await rm(base, { recursive: true, force: true });
    },
  };
}

let lastInstance = 0;

function createTestEngine(folder: string, deps: Partial<EngineDeps>): TestEngine {
  const events: MemoryEvent[] = [];
  const engine = createMemoryEngine({
    fs: createNodeFileSystem(),
    http: createNodeHttpClient(),
    clock: systemClock,
    platform: process.platform,
    userHome: folder,
    startTimeOf: () => Promise.resolve('now'),
    ownPid: process.pid,
    place: { folder, wasmFile },
    instance: `test-${String(++lastInstance)}`,
    endedInstances: [],
    emit(event) {
      events.push(event);
    },
    yieldToEventLoop: () => setImmediate(),
    ...deps,
  });
  const ask: TestEngine['ask'] = (query, options = {}) => engine.search(query, options, never);
  return {
    ...engine,
    events,
    ask,
    labels: async (query, options) => (await ask(query, options)).hits.map(({ label }) => label),
    async until(check) {
      // Not by events: on a clock that stands still there are few.
      while (!(await check())) await setTimeout(5);
    },
  };
}
