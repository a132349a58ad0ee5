import { createContextFactory } from '../../src/dexto/context/createContextFactory.ts';
import type { ContextServices } from '../../src/dexto/context/contextServices.ts';
import { createDextoAdapter } from '../../src/dexto/createDextoAdapter.ts';
import { createAgentEventBus } from '../../src/dexto/events/createAgentEventBus.ts';
import type { LoadedPlugin } from '../../src/dexto/loadedPlugin.ts';
import type {
  DextoPlugin,
  ExecutionContext,
  ExtensionPoint,
  PluginResult,
} from '../../src/dexto/dextoTypes.ts';
import { createOpenTelemetry } from '../../src/dexto/telemetry/createOpenTelemetry.ts';
import { createStorage } from '../../src/dexto/storage/createStorage.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createProcessOwner } from '../../src/host/processOwner.ts';
import { createRunTraces, type RunTraces } from '../../src/traces/createRunTraces.ts';
import type { HandlerSource } from '../../src/hooks/hookRegistration.ts';
import { createPointSource } from '../../src/dexto/load/createPointSource.ts';
import { firePoints, samplePayloads, sampleCall, type TestPoints } from '../builders/openExtensionPoints.ts';
import type { Bench, Figure } from './bench.ts';
import { heapGrowth } from './heapGrowth.ts';
import { measureTogether } from './measureTogether.ts';
import { medianFigure } from './medianFigure.ts';
import { openBenchPipeline } from './openBenchPipeline.ts';

const names = ['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse'] as const;
const pluginCount = 10;
const looks = 1_000_000;
/** Of one run in the bench: a long one. */
const callsOfRun = 40;

/** What Dexto plugins cost: at all four extension points, in a tool call, and where there are none. */
export const bench: Bench = {
  name: 'dexto',
  needsEditor: false,
  async run() {
    return [...unusedFigures(), ...(await pointFigures()), ...(await callFigures())];
  },
};

/** Nanoseconds to learn that no agent file brings a plugin, and what a million times of it leave on the heap. */
function unusedFigures(): readonly Figure[] {
  const { points } = openPoints(0);
  let heard = 0;
  const look = (): void => {
    for (let at = 0; at < looks; at += 1) if (points.has('beforeToolCall')) heard += 1;
  };
  const samples = Array.from({ length: 20 }, () => {
    const start = performance.now();
    look();
    return ((performance.now() - start) / looks) * 1e6;
  });
  if (heard > 0) throw new Error('A plugin listens that nobody configured.');
  const bytes = Array.from({ length: 5 }, () => heapGrowth(look));
  return [
    medianFigure('extension point, no plugin', 'ns', samples.slice(5)),
    // Sixteen bytes each, the smallest object, would be 16 000.
    { name: 'heap after 1 000 000 of them', value: Math.min(...bytes) / 1000, unit: 'kB', below: 16 },
  ];
}

/** All that one tool call and the turn around it can fire. */
async function pointFigures(): Promise<readonly Figure[]> {
  const open = openPoints(pluginCount);
  let fired = 0;
  const taken = await measureTogether({
    four: async () => {
      // A new run before the old one is full, since lines that are not kept cost nothing.
      if (fired % callsOfRun === 0) open.beginRun();
      fired += 1;
      for (const name of names) await firePoint(open.points, name);
    },
  });
  open.dispose();
  const samples = taken.four.map((microseconds) => microseconds / 1_000);
  return [medianFigure(`four points, ${pluginCount} plugins`, 'ms', samples, { below: 0.5 })];
}

/** The whole pipeline of a tool call; two of the points are in it. */
async function callFigures(): Promise<readonly Figure[]> {
  const worlds = {
    without: openBenchPipeline({ before: 0, others: 0 }),
    none: openBenchPipeline({ before: 0, others: 0, points: openPoints(0).source }),
    ten: openBenchPipeline({ before: 0, others: 0, points: openPoints(pluginCount).source }),
  };
  let at = 0;
  const call = (name: keyof typeof worlds) => () => worlds[name].call((at += 1));
  const taken = await measureTogether({
    without: call('without'),
    none: call('none'),
    ten: call('ten'),
  });
  for (const world of Object.values(worlds)) world.dispose();
  return [
    medianFigure('tool call, no Dexto dialect', 'µs', taken.without),
    medianFigure('tool call, no plugin', 'µs', taken.none),
    medianFigure(`tool call, ${pluginCount} plugins`, 'µs', taken.ten),
  ];
}

async function firePoint(points: TestPoints, name: ExtensionPoint): Promise<void> {
  const end = await points.run(name, samplePayloads[name], sampleCall(name));
  if (end.outcome === 'blocked') throw new Error(`A plugin of the bench blocked ${name}: ${end.message}`);
}

interface OpenPoints {
  readonly points: TestPoints;
  readonly source: HandlerSource;
  readonly beginRun: () => void;
  readonly dispose: () => void;
}

/** The real extension points with all that a runtime gives them: context, trace, profiles, telemetry that nobody takes. */
function openPoints(count: number): OpenPoints {
  const log = createInMemoryLog();
  // Nothing is written: no run ends.
  const traces = createRunTraces({
    clock: systemClock,
    fs: createNodeFileSystem(),
    log,
    folder: '/nowhere',
  });
  const plugins = Array.from({ length: count }, (_each, at) => pluginOf(at));
  const adapter = createDextoAdapter({
    clock: systemClock,
    // Its lines would fill the memory of the bench.
    log: { write: () => undefined },
    context: createContextFactory({
      storage: () => storage,
      services,
      events: createAgentEventBus({ log }),
      log,
      redact: (text) => text,
    }),
    telemetry: createOpenTelemetry(),
  });
  const source = createPointSource({
    adapter,
    running: () => plugins,
    problem: () => undefined,
    settled: () => Promise.resolve(),
  });
  const points = firePoints(source, systemClock, traces.hookCalled);
  return { points, source, beginRun: () => beginRun(traces), dispose: () => traces.dispose() };
}

function beginRun(traces: RunTraces): void {
  traces.begin({ runId: 'r1', sessionKey: 'main', sessionId: 'id' });
}

/** As a guard does at the least: it looks through what it is given, and at who asks. */
function pluginOf(at: number): LoadedPlugin {
  const judge = async (payload: object, { tenantId }: ExecutionContext): Promise<PluginResult> => ({
    ok: tenantId === undefined && !JSON.stringify(payload).includes('PRIVATE KEY'),
  });
  const instance: DextoPlugin = Object.fromEntries(names.map((name) => [name, judge]));
  return {
    name: `plugin-${at}`,
    instance,
    points: names,
    blocking: true,
    priority: at,
    timeoutMs: 5_000,
    redact: (text) => text,
  };
}

const services: ContextServices = {
  sessionsOf: () => ({ open: () => notAsked('a session'), list: () => notAsked('sessions') }),
  toolsOf: () => [],
  mcpServers: () => [],
  runtimeConfig: () => ({}),
};

/** Gets handed out, and is not used. */
const inMemory = { type: 'in-memory' } as const;
const storage = createStorage(
  { database: inMemory, cache: inMemory, blob: inMemory },
  {
    fs: createNodeFileSystem(),
    clock: systemClock,
    log: createInMemoryLog(),
    owner: createProcessOwner(() => Promise.resolve(undefined), process.pid),
    folder: '/nowhere',
    wasmFile: '/nowhere/sql-wasm.wasm',
  },
);

function notAsked(what: string): never {
  throw new Error(`A plugin of the bench asked for ${what}.`);
}
