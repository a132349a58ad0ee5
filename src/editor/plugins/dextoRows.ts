import { inertLine } from '../../base/text.ts';
import type { PointProfile, DextoListing, PluginRecord } from '../../plugins/pluginTypes.ts';

type Point = DextoListing['points'][number];
type Profile = NonNullable<DextoListing['profile']>;

/** A row below a Dexto plugin. */
export type DextoRow =
  /** Where it is asked, and how it has done there. */
  | {
      readonly kind: 'point';
      readonly plugin: PluginRecord;
      readonly listing: DextoListing;
      readonly point: Point;
    }
  /** What went wrong last. */
  | { readonly kind: 'failure'; readonly failure: NonNullable<Profile['lastFailure']> }
  | { readonly kind: 'notices'; readonly plugin: PluginRecord; readonly notices: Profile['notices'] }
  | { readonly kind: 'notice'; readonly notice: Profile['notices'][number] };

/** What a Dexto plugin unfolds to: what failed last, its extension points, what it said. Pure. */
export function planDextoRows(plugin: PluginRecord): readonly DextoRow[] {
  const { dexto: listing } = plugin;
  if (listing === undefined) return [];
  const { lastFailure, notices = [] } = listing.profile ?? {};
  return [
    ...(lastFailure === undefined ? [] : [{ kind: 'failure', failure: lastFailure } as const]),
    ...listing.points.map((point): DextoRow => ({ kind: 'point', plugin, listing, point })),
    ...(notices.length === 0 ? [] : [{ kind: 'notices', plugin, notices } as const]),
  ];
}

/** `blocked 1 · 2 of 3 · 95% within 0.4 ms · after OpenClaw · priority 100 · blocking`: in a narrow view the end is cut off. Pure. */
export function describePoint(listing: DextoListing, { point, position, of, band }: Point): string {
  const profile = listing.profile?.points.find((each) => each.point === point);
  return [
    ...describeTroubles(profile),
    ...(of > 1 ? [`${String(position)} of ${String(of)}`] : []),
    describeTime(profile),
    band,
    `priority ${String(listing.priority)}`,
    listing.blocking ? 'blocking' : 'not blocking',
  ].join(' · ');
}

// Only what makes the tree draw itself anew is counted: anything else would be old by the time it is read.
function describeTroubles(profile: PointProfile | undefined): readonly string[] {
  const { blocked = 0, failed = 0, timedOut = 0 } = profile ?? {};
  const counts = { blocked, failed, 'timed out': timedOut };
  return Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${String(count)}`]));
}

function describeTime(profile: PointProfile | undefined): string {
  return profile === undefined || profile.calls === 0
    ? 'not called yet'
    : `95% within ${fineMs(profile.p95)}`;
}

/** `0.04 ms`, `12 ms`. */
export function fineMs(ms: number): string {
  if (ms >= 10) return `${ms.toFixed(0)} ms`;
  return ms >= 0.1 ? `${ms.toFixed(1)} ms` : `${ms.toFixed(2)} ms`;
}

/** `block · QUOTA_EXCEEDED: …`: texts of plugins are untrusted. Pure. */
export function describeNotice({ kind, code, message }: Profile['notices'][number]): string {
  return inertLine(`${code === undefined ? kind : `${kind} · ${code}`}: ${message}`, 200);
}

/** What of a profile is worth drawing the tree anew: not each call's time, since a redrawn row swallows the click on its way to it. */
export function coarseProfile({ points, notices, lastFailure }: Profile): unknown {
  const stops = points.map(({ point, calls, blocked, failed, timedOut }) => [
    point,
    calls > 0,
    blocked,
    failed,
    timedOut,
  ]);
  return [stops, notices.map(({ at, message }) => [at, message]), lastFailure];
}
