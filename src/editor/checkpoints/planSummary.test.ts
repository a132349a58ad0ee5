import { expect, it } from 'vitest';
import type { RestoreItem, RestoreObstacle, RestorePlan } from '../../checkpoints/checkpoints.ts';
import { findConflicts, shortList, summarizePlan } from './planSummary.ts';

const item = (label: string, action: RestoreItem['action'], obstacle?: RestoreObstacle): RestoreItem => ({
  path: `/w/${label}`,
  label,
  action,
  target: null,
  current: null,
  ...(obstacle === undefined ? {} : { obstacle }),
});
const plan: RestorePlan = {
  turnId: 't1',
  sessionId: 's1',
  items: [
    item('a', 'restore'),
    item('b', 'delete'),
    item('c', 'restore', { kind: 'changed' }),
    item('d', 'delete', { kind: 'unsaved' }),
    item('e', 'restore', { kind: 'refused', reason: 'it is a link' }),
  ],
};

it('asks about the files that the user has changed, and about no other', () => {
  expect(findConflicts(plan).map((each) => each.label)).toEqual(['c', 'd']);
});

it('says of every file what happens to it', () => {
  expect(summarizePlan(plan, new Set(['/w/d', '/w/e']))).toEqual({
    restored: ['a'],
    deleted: ['b', 'd'],
    overwritten: ['d'],
    kept: ['c'],
    refused: [{ label: 'e', reason: 'it is a link' }],
  });
});

it('names the first of many', () => {
  expect(shortList([])).toBeUndefined();
  expect(shortList(['a', 'b'], 2)).toBe('a, b');
  expect(shortList(['a', 'b', 'c', 'd'], 2)).toBe('a, b … +2');
});
