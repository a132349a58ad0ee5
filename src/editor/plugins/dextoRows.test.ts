import { expect, it } from 'vitest';
import type { ExecutionProfile } from '../../dexto/executionProfile.ts';
import type { DextoListing, PluginRecord } from '../../plugins/pluginTypes.ts';
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

it('a point tells place, band, priority, whether it can stop anything, and how it has done', () => {
  expect(describePoint(listing, point)).toBe(
    '2 of 3 · after OpenClaw · priority 100 · blocking · 12 calls, 95% within 0.4 ms · blocked 1 · timed out 2',
  );
  const { profile: _profile, ...unused } = listing;
  expect(describePoint({ ...unused, blocking: false }, { ...point, position: 1, of: 1 })).toBe(
    'after OpenClaw · priority 100 · not blocking · not called yet',
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

it('calls that go well do not make the tree draw itself anew', () => {
  const [first] = profile.points;
  const later = {
    ...profile,
    points: first === undefined ? [] : [{ ...first, calls: 13, p95: 9, changed: 1 }],
  };
  expect(coarseProfile(later)).toEqual(coarseProfile(profile));
  const stopped = { ...profile, points: first === undefined ? [] : [{ ...first, blocked: 2 }] };
  expect(coarseProfile(stopped)).not.toEqual(coarseProfile(profile));
});
