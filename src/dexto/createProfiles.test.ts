import { expect, it } from 'vitest';
import { readyPlugin } from '../../test/builders/openExtensionPoints.ts';
import { createProfiles, type ProfiledCall } from './createProfiles.ts';

const plugin = readyPlugin('p', {});
const call = (durationMs: number, verdict: Partial<ProfiledCall['verdict']> = {}, at = 0): ProfiledCall => ({
  point: 'beforeToolCall',
  durationMs,
  verdict: { outcome: 'nothing', changes: [], notices: [], ...verdict },
  at,
});

it('counts what came of the calls', () => {
  const profiles = createProfiles();
  const changes = [{ path: 'args' }];
  for (const verdict of [
    { outcome: 'changed', changes },
    { outcome: 'blocked', changes },
    { outcome: 'failed', error: 'boom' },
    { outcome: 'timed-out', error: 'late' },
    { outcome: 'ignored' },
    { outcome: 'declined' },
  ] as const)
    profiles.add(plugin, call(1, verdict, 7));
  profiles.add(plugin, { ...call(2), point: 'beforeResponse' });
  const { points, lastFailure } = profiles.of(plugin);
  expect(points).toEqual([
    {
      point: 'beforeToolCall',
      calls: 6,
      changed: 2,
      blocked: 1,
      failed: 1,
      timedOut: 1,
      p50: 1,
      p95: 1,
      max: 1,
    },
    {
      point: 'beforeResponse',
      calls: 1,
      changed: 0,
      blocked: 0,
      failed: 0,
      timedOut: 0,
      p50: 2,
      p95: 2,
      max: 2,
    },
  ]);
  expect(lastFailure).toEqual({ point: 'beforeToolCall', message: 'late', at: 7 });
});

it('gives percentiles of the newest 256 calls, and the longest of all', () => {
  const profiles = createProfiles();
  profiles.add(plugin, call(9_000));
  for (let ms = 1; ms <= 100; ms += 1) profiles.add(plugin, call(ms));
  expect(profiles.of(plugin).points[0]).toMatchObject({ p50: 51, p95: 96, max: 9_000, calls: 101 });
  for (let at = 0; at < 256; at += 1) profiles.add(plugin, call(3));
  expect(profiles.of(plugin).points[0]).toMatchObject({ p50: 3, p95: 3, max: 9_000, calls: 357 });
});

it('keeps the newest 20 notices, the newest first, without their details', () => {
  const profiles = createProfiles();
  for (let at = 0; at < 15; at += 1) {
    const notices = [`a${at}`, `b${at}`].map((message) => ({
      kind: 'info' as const,
      code: 'C',
      message,
      details: { big: 'x' },
    }));
    profiles.add(plugin, call(1, { notices }, at));
  }
  const { notices } = profiles.of(plugin);
  expect(notices).toHaveLength(20);
  expect(notices.slice(0, 3)).toEqual([
    { kind: 'info', code: 'C', message: 'b14', point: 'beforeToolCall', at: 14 },
    { kind: 'info', code: 'C', message: 'a14', point: 'beforeToolCall', at: 14 },
    { kind: 'info', code: 'C', message: 'b13', point: 'beforeToolCall', at: 13 },
  ]);
});
