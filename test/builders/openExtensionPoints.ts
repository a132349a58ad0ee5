import { createDextoAdapter, type DextoAdapterParts } from '../../src/dexto/createDextoAdapter.ts';
import type { ExecutionProfile } from '../../src/plugins/pluginTypes.ts';
import type { LoadedPlugin } from '../../src/dexto/loadedPlugin.ts';
import type { PointNotice } from '../../src/dexto/pointFacts.ts';
import { extensionPoints } from '../../src/dexto/pointRules.ts';
import type { DextoPlugin, ExecutionContext, ExtensionPoint } from '../../src/dexto/dextoTypes.ts';
import { createInMemoryLog, type InMemoryLog } from './inMemoryLog.ts';
import { createManualClock, type ManualClock } from './manualClock.ts';
import type { Clock } from '../../src/host/ports.ts';
import { createHookRegistry, createHookRunner } from '../../src/hooks/hookRunner.ts';
import type { HandlerSource, HookRegistration } from '../../src/hooks/hookRegistration.ts';
import type { HookTrace, ReportedCall } from '../../src/hooks/hookTrace.ts';
import type { HookEvent } from '../../src/hooks/hookTypes.ts';
import type { HandledPayload, PointBlock, PointContext } from '../../src/hooks/payloads/pointHooks.ts';

/** A plugin that is ready, of what `instance` can do. Default: blocking, 5 s. */
export function readyPlugin(
  name: string,
  instance: DextoPlugin,
  more: Partial<LoadedPlugin> = {},
): LoadedPlugin {
  return {
    name,
    instance,
    points: extensionPoints.filter((point) => point in instance),
    blocking: true,
    priority: 0,
    timeoutMs: 5_000,
    redact: (text) => text,
    ...more,
  };
}

export type PointPayloads = { readonly [P in ExtensionPoint]: HookEvent<P> };

/** A payload for each extension point. */
export const samplePayloads: PointPayloads = {
  beforeLLMRequest: { text: 'When does the tide turn?', sessionId: 's1' },
  beforeToolCall: {
    toolName: 'write',
    args: { path: 'a.txt', lines: ['one'] },
    callId: 'c1',
    sessionId: 's1',
  },
  afterToolResult: { toolName: 'write', result: 'Written.', success: true, callId: 'c1', sessionId: 's1' },
  beforeResponse: { content: 'At six.', provider: 'p', model: 'm', sessionId: 's1' },
};

/** What all plugins of a point made of a payload. */
export type PointOutcome<P extends ExtensionPoint> =
  | { readonly outcome: 'passed'; readonly payload: PointPayloads[P] }
  | ({ readonly outcome: 'blocked'; readonly payload: PointPayloads[P] } & PointBlock);

/** One call of a plugin, as it was traced. */
export type PointStep = ReportedCall &
  Pick<HookTrace, 'pluginId' | 'changes' | 'startedAt' | 'durationMs'> & { readonly point: string };

/** The extension points as an emitter passes them. */
export interface TestPoints {
  has(point: ExtensionPoint): boolean;
  run<P extends ExtensionPoint>(
    point: P,
    payload: PointPayloads[P],
    context?: PointContext,
    signal?: AbortSignal,
  ): Promise<PointOutcome<P>>;
}

/** The real hook runner over the handlers of the extension points. */
export function firePoints(
  source: HandlerSource,
  clock: Clock,
  trace: (line: HookTrace) => void = () => undefined,
): TestPoints {
  const registry = createHookRegistry();
  registry.provide(extensionPoints, source);
  const runner = createHookRunner({ registry, clock, report: () => undefined, trace });
  return {
    has: (point) => runner.has(point),
    async run(point, payload, context = sampleCall(point), signal) {
      // Which point it is does not matter to the verb, only that payload and context are those of the point.
      const passed = await runner.modify(point as 'beforeToolCall', payload as never, context, signal);
      const { payload: after, block } = passed as unknown as HandledPayload<PointPayloads[typeof point]>;
      if (block === undefined) return { outcome: 'passed', payload: after };
      return { outcome: 'blocked', payload: after, ...block };
    },
  };
}

export interface OpenExtensionPoints {
  readonly points: TestPoints;
  /** The same for whoever makes a runner of its own. */
  readonly source: HandlerSource;
  /** Stands still, where no other was asked for. */
  readonly clock: ManualClock;
  readonly log: InMemoryLog;
  readonly steps: readonly PointStep[];
  readonly notices: readonly PointNotice[];
  profileOf(plugin: LoadedPlugin): ExecutionProfile;
  /** Passes the sample payload, or this one. */
  run<P extends ExtensionPoint>(
    point: P,
    payload?: PointPayloads[P],
    signal?: AbortSignal,
  ): Promise<PointOutcome<P>>;
}

/** The real extension points over some plugins, with a clock that a test moves. */
export function openExtensionPoints(
  plugins: readonly LoadedPlugin[] | (() => readonly LoadedPlugin[]),
  parts: Partial<DextoAdapterParts> = {},
): OpenExtensionPoints {
  const clock = createManualClock(1_000);
  const log = createInMemoryLog();
  const steps: PointStep[] = [];
  const notices: PointNotice[] = [];
  const adapter = createDextoAdapter({
    clock,
    log,
    context: (call, _plugin, abortSignal) => ({ sessionId: call.sessionId, abortSignal }) as ExecutionContext,
    notice: (notice) => void notices.push(notice),
    report: ({ level, message }) => log.write(level, message),
    ...parts,
  });
  const source = sourceOf(plugins, adapter.registrationsOf);
  const points = firePoints(source, parts.clock ?? clock, (line) => {
    const { hook: point, pluginId, changes, startedAt, durationMs, told } = line;
    if (told === undefined) return;
    const changed = changes === undefined ? {} : { changes };
    steps.push({ point, pluginId, ...told, ...changed, startedAt, durationMs });
  });
  return {
    points,
    source,
    clock,
    log,
    steps,
    notices,
    profileOf: adapter.profileOf,
    run: (point, payload = samplePayloads[point], signal) =>
      points.run(point, payload, sampleCall(point), signal),
  };
}

/** Handlers of plugins, in the order of the list. */
export function sourceOf(
  plugins: readonly LoadedPlugin[] | (() => readonly LoadedPlugin[]),
  registrationsOf: (plugin: LoadedPlugin) => readonly HookRegistration[],
): HandlerSource {
  const list = typeof plugins === 'function' ? plugins : () => plugins;
  return {
    handlers: (hook) =>
      list().flatMap((plugin) => registrationsOf(plugin).filter((each) => each.hook === hook)),
    pending: () => undefined,
  };
}

/** Of the same turn and tool call. */
export function sampleCall(point: ExtensionPoint): PointContext {
  const isOfTool = point === 'beforeToolCall' || point === 'afterToolResult';
  return {
    runId: 'r1',
    sessionId: 's1',
    sessionKey: 'main',
    agentId: 'main',
    model: {
      provider: 'p',
      model: 'm',
      name: 'M',
      contextWindow: 8_000,
      maxOutputTokens: 1_000,
      toolCalling: true,
    },
    ...(isOfTool ? { toolName: 'write', toolCallId: 'c1' } : {}),
  };
}
