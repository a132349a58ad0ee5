import { expect, it } from 'vitest';

import { canShare, hasSetUp } from './canShare.ts';
import type { WorkbenchOptions } from './openWorkbench.ts';

const plain: WorkbenchOptions = {
  workspace: { files: { 'log.md': 'day one\n' } },
  trust: 'trusted',
  home: { 'config.jsonc': '{}' },
};

it('shares a window between tests that differ in their files and their home alone', () => {
  expect(canShare(plain, { ...plain, workspace: { files: { 'docs/other.md': '' } }, home: {} })).toBe(true);
});

it('knows a workspace with something that is read at the start', () => {
  expect(hasSetUp(plain)).toBe(false);
  expect(hasSetUp({ workspace: { files: { '.pincer/config.jsonc': '{}' } } })).toBe(true);
  expect(hasSetUp({ workspace: 'none' })).toBe(false);
});

const others: readonly (readonly [string, Partial<WorkbenchOptions>])[] = [
  ['is not trusted', { trust: 'untrusted' }],
  ['has several folders', { workspace: { folders: { boat: {} } } }],
  ['has no folder', { workspace: 'none' }],
];

it.each(others)('opens another window for a test that %s, before it and after it', (_name, other) => {
  expect(canShare(plain, { ...plain, ...other })).toBe(false);
  expect(canShare({ ...plain, ...other }, plain)).toBe(false);
});

it('opens another window for a test that wants a fresh one, and goes on with that', () => {
  const fresh = { ...plain, fresh: 'it counts sessions' };
  expect(canShare(plain, fresh)).toBe(false);
  expect(canShare(fresh, plain)).toBe(true);
});

it('goes on with a window for a test that leaves something behind, and opens another after it', () => {
  const leaves = { ...plain, leaves: 'a forgotten file' };
  expect(canShare(plain, leaves)).toBe(true);
  expect(canShare(leaves, plain)).toBe(false);
});
