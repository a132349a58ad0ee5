import { expect, it } from 'vitest';
import type { ExecutionProfile, DextoListing, PluginRecord } from '../../plugins/pluginTypes.ts';
import { coarseProfile, describeNotice, describePoint, planDextoRows } from './dextoRows.ts';

const profile: ExecutionProfile = {
  points: [
    {
      point: 'beforeToolCall',
      calls: 12,
      p50: 0.02,
      p95: 0.42,
      max: 31,
      changed: 0,
      blocked: 1,
      failed: 0,
      timedOut: 2,
    },
  ],
  notices: [
    {
      kind: 'block',
      code: 'TOOL_NOT_ALLOWED',
      message: 'not on\u202e this plan',
      point: 'beforeToolCall',
      at: 5,
    },
  ],
  lastFailure: { point: 'afterToolResult', message: 'disk full', at: 7 },
};
const point = { point: 'beforeToolCall', position: 2, of: 3, band: 'after OpenClaw' } as const;
const listing: DextoListing = {
  agentFile: '/w/.pincer/agent.yml',
  isBuiltIn: false,
  blocking: true,
  priority: 100,
  timeoutMs: 5_000,
  dependsOn: [],
  points: [point],
  profile,
};

it('a point tells what went wrong there, then place, time, band, priority and whether it can stop anything', () => {
  expect(describePoint(listing, point)).toBe(
    'blocked 1 · timed out 2 · 2 of 3 · 95% within 0.4 ms · after OpenClaw · priority 100 · blocking',
  );
  const { profile: _profile, ...unused } = listing;
  expect(describePoint({ ...unused, blocking: false }, { ...point, position: 1, of: 1 })).toBe(
    'not called yet · after OpenClaw · priority 100 · not blocking',
  );
});

it('what failed last stands above the points, notices below them', () => {
  const plugin = { dexto: listing } as PluginRecord;
  expect(planDextoRows(plugin).map(({ kind }) => kind)).toEqual(['failure', 'point', 'notices']);
  expect(planDextoRows({} as PluginRecord)).toEqual([]);
});

it("a notice's text is one inert line", () => {
  const [notice] = profile.notices;
  expect(notice && describeNotice(notice)).toBe('block · TOOL_NOT_ALLOWED: not on this plan');
});

it('calls that go well, but for the first, do not make the tree draw itself anew', () => {
  const [first] = profile.points;
  const later = {
    ...profile,
    points: first === undefined ? [] : [{ ...first, calls: 13, p95: 9, changed: 1 }],
  };
  expect(coarseProfile(later)).toEqual(coarseProfile(profile));
  const uncalled = { ...profile, points: first === undefined ? [] : [{ ...first, calls: 0 }] };
  expect(coarseProfile(uncalled)).not.toEqual(coarseProfile(profile));
  const stopped = { ...profile, points: first === undefined ? [] : [{ ...first, blocked: 2 }] };
  expect(coarseProfile(stopped)).not.toEqual(coarseProfile(profile));
});
