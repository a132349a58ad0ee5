import { inertLine, plural } from '../../base/text.ts';
import type { DextoListing, PluginRecord } from '../../plugins/pluginTypes.ts';

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

/** `2 of 3 · after OpenClaw · priority 100 · blocking · 12 calls, 95% within 0.4 ms · blocked 1`. Pure. */
export function describePoint(listing: DextoListing, { point, position, of, band }: Point): string {
  const profile = listing.profile?.points.find((each) => each.point === point);
  return [
    ...(of > 1 ? [`${String(position)} of ${String(of)}`] : []),
    band,
    `priority ${String(listing.priority)}`,
    listing.blocking ? 'blocking' : 'not blocking',
    ...describeProfile(profile),
  ].join(' · ');
}

function describeProfile(profile: Profile['points'][number] | undefined): readonly string[] {
  if (profile === undefined || profile.calls === 0) return ['not called yet'];
  const { calls, p95, changed, blocked, failed, timedOut } = profile;
  const counts = { changed, blocked, failed, 'timed out': timedOut };
  return [
    `${plural(calls, 'call', 'calls')}, 95% within ${fineMs(p95)}`,
    ...Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${String(count)}`])),
  ];
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
  const stops = points.map(({ point, blocked, failed, timedOut }) => [point, blocked, failed, timedOut]);
  return [stops, notices.map(({ at, message }) => [at, message]), lastFailure];
}
