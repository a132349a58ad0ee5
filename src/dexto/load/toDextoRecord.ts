import { isInside } from '../../plugins/discover/isInside.ts';
import type { ExecutionProfile, DextoListing, PluginRecord } from '../../plugins/pluginTypes.ts';
import type { ExtensionPoint } from '../dextoTypes.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { RunningPlugin } from './generation.ts';
import type { DextoFailure } from './loadTypes.ts';
import type { DextoPlan } from './planDextoPlugin.ts';

/** One plugin as it stands. */
export interface DextoRow {
  readonly plan: DextoPlan;
  /** Absolute path. */
  readonly agentFile: string;
  readonly running?: RunningPlugin;
  /** Why the plugin itself can't be loaded. */
  readonly failure?: DextoFailure;
  /** Why it does not run although nothing is wrong with it. */
  readonly heldUp?: string;
  /** The file does not name it any more, but it runs on with the version of the file that counts. */
  readonly isLeft?: boolean;
}

interface DextoRecordFacts {
  readonly roots: readonly string[];
  /** All that run, in order. */
  readonly order: readonly RunningPlugin[];
  /** What has been told of it since it was loaded. */
  readonly later: readonly Diagnostic[];
  readonly profile?: ExecutionProfile;
}

/** Where the points stand beside OpenClaw's hooks. */
const bands: Readonly<Record<ExtensionPoint, DextoListing['points'][number]['band']>> = {
  beforeLLMRequest: 'before OpenClaw',
  beforeToolCall: 'after OpenClaw',
  afterToolResult: 'before OpenClaw',
  beforeResponse: 'after OpenClaw',
};

/** The record that lists and trees show. Pure. */
export function toDextoRecord(row: DextoRow, facts: DextoRecordFacts): PluginRecord {
  const { plan, agentFile, running, failure } = row;
  const { id, entry, origin, candidate, needsConsent, asks } = plan;
  const { roots, later } = facts;
  const version = running?.checked.version ?? plan.module?.version;
  const workspaceDir = origin === 'workspace' ? roots.find((root) => isInside(root, agentFile)) : undefined;
  return {
    id,
    name: entry.name,
    kind: [],
    origin,
    rootDir: candidate.rootDir,
    source: candidate.source,
    manifestPath: agentFile,
    enabled: plan.enablement.enabled,
    ...(plan.enablement.enabled ? {} : { disabledBy: plan.enablement.by }),
    status: running === undefined ? (failure === undefined ? 'disabled' : 'error') : 'loaded',
    reason: reasonOf(row),
    toolNames: [],
    hookNames: [],
    hooks: [],
    commands: [],
    services: [],
    unused: [],
    registrations: {},
    heldBack: (running?.checked.heldBack ?? []).map((point) => `point ${point}`),
    diagnostics: [...diagnosticsOf(row), ...later],
    dexto: listingOf(row, facts),
    ...(failure === undefined ? {} : { error: failure.message, failurePhase: failure.phase }),
    ...(version === undefined ? {} : { version }),
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
    ...(needsConsent === undefined ? {} : { needsConsent }),
    ...(asks === undefined ? {} : { asks }),
    ...(plan.developing === true ? { developing: true } : {}),
    ...(running === undefined
      ? {}
      : { timings: { loadMs: running.checked.loadMs, registerMs: running.initializeMs } }),
  };
}

/** What is known to be wrong with a plugin since the file was read. Pure. */
export function diagnosticsOf({ plan, running, failure }: DextoRow): readonly Diagnostic[] {
  return [
    ...plan.diagnostics,
    ...(running?.checked.diagnostics ?? []),
    ...(failure === undefined ? [] : [failure.diagnostic]),
  ];
}

function listingOf(
  { plan, agentFile, running }: DextoRow,
  { order, profile }: DextoRecordFacts,
): DextoListing {
  // What runs may be older than what the file says.
  const { kind, blocking, priority, timeoutMs, dependsOn } = running?.checked.entry ?? plan.entry;
  const { line } = plan.entry;
  return {
    agentFile,
    line,
    isBuiltIn: kind === 'builtin',
    blocking,
    priority,
    timeoutMs,
    dependsOn,
    points: running === undefined ? [] : placesOf(running, order),
    ...(profile === undefined ? {} : { profile }),
  };
}

function placesOf(running: RunningPlugin, order: readonly RunningPlugin[]): DextoListing['points'] {
  return running.checked.plugin.points.map((point) => {
    const all = order.filter(({ checked }) => checked.plugin.points.includes(point));
    return { point, position: all.indexOf(running) + 1, of: all.length, band: bands[point] };
  });
}

function reasonOf({ plan, running, failure, heldUp, isLeft }: DextoRow): string {
  const { enablement } = plan;
  if (running === undefined) return failure?.message ?? heldUp ?? enablement.reason;
  if (failure !== undefined) return `${failure.message}; the previous version still runs`;
  if (isLeft === true) return 'no longer in the agent file; it runs until the file can be used';
  if (!enablement.enabled) return `${enablement.reason}; the version you enabled still runs`;
  return heldUp === undefined ? enablement.reason : `${heldUp}; the previous version still runs`;
}
