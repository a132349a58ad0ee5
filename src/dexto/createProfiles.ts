import type { ExecutionProfile, PointProfile } from '../plugins/pluginTypes.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import type { ExtensionPoint, PluginNotice } from './dextoTypes.ts';
import type { Verdict } from './pointFacts.ts';

/** How plugins do, as long as they are loaded. Kept in memory alone: it may hold what no log may. */
interface Profiles {
  /** `at` is in milliseconds since the epoch. */
  add(plugin: LoadedPlugin, call: ProfiledCall): void;
  of(plugin: LoadedPlugin): ExecutionProfile;
}

export interface ProfiledCall {
  readonly point: ExtensionPoint;
  readonly durationMs: number;
  readonly verdict: Pick<Verdict, 'outcome' | 'changes' | 'error' | 'notices'>;
  readonly at: number;
}

/** Percentiles are those of so many newest calls, so that a profile stays small. */
const keptTimes = 256;
const keptNotices = 20;

interface Counts {
  readonly times: Float64Array;
  calls: number;
  max: number;
  changed: number;
  blocked: number;
  failed: number;
  timedOut: number;
}

interface Record {
  readonly points: Map<ExtensionPoint, Counts>;
  notices: ExecutionProfile['notices'];
  lastFailure?: NonNullable<ExecutionProfile['lastFailure']>;
}

/** By the plugin itself, not by its name: one that is loaded anew begins anew, and one that is gone leaves nothing behind. */
export function createProfiles(): Profiles {
  const records = new WeakMap<LoadedPlugin, Record>();
  return {
    add(plugin, { point, durationMs, verdict, at }) {
      const record = records.get(plugin) ?? { points: new Map<ExtensionPoint, Counts>(), notices: [] };
      records.set(plugin, record);
      count(countsOf(record, point), durationMs, verdict);
      const { error, notices } = verdict;
      if (error !== undefined) record.lastFailure = { point, message: error, at };
      if (notices.length > 0) {
        const fresh = notices.map((notice) => ({ ...shortNotice(notice), point, at })).reverse();
        record.notices = [...fresh, ...record.notices].slice(0, keptNotices);
      }
    },
    of(plugin) {
      const record = records.get(plugin);
      if (record === undefined) return { points: [], notices: [] };
      const { points, notices, lastFailure } = record;
      return {
        points: [...points].map(([point, counts]) => profileOf(point, counts)),
        notices,
        ...(lastFailure === undefined ? {} : { lastFailure }),
      };
    },
  };
}

function countsOf({ points }: Record, point: ExtensionPoint): Counts {
  const known = points.get(point);
  if (known !== undefined) return known;
  const times = new Float64Array(keptTimes);
  const counts = { times, calls: 0, max: 0, changed: 0, blocked: 0, failed: 0, timedOut: 0 };
  points.set(point, counts);
  return counts;
}

function count(counts: Counts, durationMs: number, { outcome, changes }: ProfiledCall['verdict']): void {
  counts.times[counts.calls % keptTimes] = durationMs;
  counts.calls += 1;
  counts.max = Math.max(counts.max, durationMs);
  if (changes.length > 0) counts.changed += 1;
  if (outcome === 'blocked') counts.blocked += 1;
  if (outcome === 'failed') counts.failed += 1;
  if (outcome === 'timed-out') counts.timedOut += 1;
}

function profileOf(point: ExtensionPoint, { times, ...counts }: Counts): PointProfile {
  const sorted = times.slice(0, Math.min(counts.calls, keptTimes)).sort();
  return { point, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), ...counts };
}

/** The smallest time that so large a share of them does not exceed. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

/** Without details, which may be of any size. */
function shortNotice({ kind, code, message }: PluginNotice): PluginNotice {
  return { kind, ...(code === undefined ? {} : { code }), message };
}
