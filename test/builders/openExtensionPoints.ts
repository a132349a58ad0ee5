import {
  createExtensionPoints,
  type ExtensionPointsParts,
  type ProfiledExtensionPoints,
} from '../../src/dexto/createExtensionPoints.ts';
import type { PointCall, PointOutcome, PointPayloads } from '../../src/dexto/extensionPoints.ts';
import type { LoadedPlugin } from '../../src/dexto/loadedPlugin.ts';
import type { DextoPlugin, ExecutionContext, ExtensionPoint } from '../../src/dexto/pluginTypes.ts';
import type { PointNotice } from '../../src/dexto/pointNotice.ts';
import type { PointStep } from '../../src/dexto/pointFacts.ts';
import { createInMemoryLog, type InMemoryLog } from '../../src/host/memory/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../src/host/memory/manualClock.ts';

const allPoints = ['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse'] as const;

/** A plugin that is ready, of what `instance` can do. Default: blocking, 5 s. */
export function readyPlugin(
  name: string,
  instance: DextoPlugin,
  more: Partial<LoadedPlugin> = {},
): LoadedPlugin {
  return {
    name,
    instance,
    points: allPoints.filter((point) => point in instance),
    blocking: true,
    priority: 0,
    timeoutMs: 5_000,
    redact: (text) => text,
    ...more,
  };
}

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

export interface OpenExtensionPoints {
  readonly points: ProfiledExtensionPoints;
  /** Stands still, where no other was asked for. */
  readonly clock: ManualClock;
  readonly log: InMemoryLog;
  readonly steps: readonly PointStep[];
  readonly notices: readonly PointNotice[];
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
  parts: Partial<Pick<ExtensionPointsParts, 'telemetry' | 'clock'>> = {},
): OpenExtensionPoints {
  const clock = createManualClock(1_000);
  const log = createInMemoryLog();
  const steps: PointStep[] = [];
  const notices: PointNotice[] = [];
  const points = createExtensionPoints({
    plugins: typeof plugins === 'function' ? plugins : () => plugins,
    clock,
    log,
    context: (call, _plugin, abortSignal) => ({ sessionId: call.sessionId, abortSignal }) as ExecutionContext,
    trace: (_runId, step) => void steps.push(step),
    notice: (notice) => void notices.push(notice),
    ...parts,
  });
  return {
    points,
    clock,
    log,
    steps,
    notices,
    run: (point, payload = samplePayloads[point], signal) =>
      points.run(point, payload, sampleCall(point, signal)),
  };
}

/** Of the same turn and tool call. */
export function sampleCall(point: ExtensionPoint, signal = new AbortController().signal): PointCall {
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
    signal,
  };
}
