import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createGrantStore, type GrantStore, type NewGrant } from './createGrantStore.ts';
import { grantMatches, looksLikePattern } from './grantMatches.ts';

const grant: NewGrant = { toolName: 'write', asker: 'host', target: 'docs/a.md', workspace: '/w' };

let folder: string;
let path: string;
let diagnostics: Diagnostic[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-grants-'));
  path = join(folder, 'state', 'grants.json');
  diagnostics = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): GrantStore {
  return createGrantStore({
    fs: createNodeFileSystem(),
    path,
    clock: createManualClock(7),
    report: (diagnostic) => void diagnostics.push(diagnostic),
  });
}

test('a grant is found again by another window, and no longer once any window revoked it', async () => {
  const first = open();
  const second = open();
  const added = await first.add(grant);
  expect(await second.matches(grant)).toBe(true);
  expect(await second.list()).toEqual([{ ...grant, id: added.id, createdAt: 7 }]);
  await second.revoke(added.id);
  expect(await first.matches(grant)).toBe(false);
});

test('adding the same grant twice keeps one, and parallel ones are all kept', async () => {
  const store = open();
  const targets = ['a', 'b', 'c', 'a'];
  await Promise.all(targets.map((target) => store.add({ ...grant, target })));
  expect((await store.list()).map((each) => each.target)).toEqual(['a', 'b', 'c']);
});

test('revoking an unknown grant says so', async () => {
  await expect(open().revoke('nope')).rejects.toMatchObject({ code: 'grant_unknown' });
});

test('listeners hear of changes', async () => {
  const store = open();
  let heard = 0;
  store.onDidChange(() => (heard += 1));
  const { id } = await store.add(grant);
  await store.revoke(id);
  expect(heard).toBe(2);
});

test.each(['{ not json', '[]', '{"version":1,"grants":[{"toolName":"write"}]}', '{"version":2,"grants":[]}'])(
  'a broken file (%s) counts as empty, is kept aside and told',
  async (text) => {
    await open().add(grant);
    await writeFile(path, text);
    expect(await open().matches(grant)).toBe(false);
    expect(diagnostics).toMatchObject([{ code: 'grants_unreadable', source: path }]);
    const aside = (await readdir(join(folder, 'state'))).filter((name) => name.includes('.broken-'));
    expect(await readFile(join(folder, 'state', aside[0]!), 'utf8')).toBe(text);
    await open().add(grant);
    expect(await open().matches(grant)).toBe(true);
  },
);

describe('a grant covers', () => {
  const covers = (pattern: string, target: string): boolean =>
    grantMatches({ ...grant, id: '1', createdAt: 0, target: pattern }, { ...grant, target });

  test('its own tool, asker and workspace only', () => {
    const stored = { ...grant, id: '1', createdAt: 0 };
    expect(grantMatches(stored, grant)).toBe(true);
    expect(grantMatches(stored, { ...grant, toolName: 'edit' })).toBe(false);
    expect(grantMatches(stored, { ...grant, asker: 'guard' })).toBe(false);
    expect(grantMatches(stored, { ...grant, workspace: '/w2' })).toBe(false);
  });

  test.each([
    ['docs/a.md', 'docs/a.md', true],
    ['docs/a[1].md', 'docs/a1.md', false],
    ['docs/**', 'docs/x/a.md', true],
    ['docs/**', 'docs2/a.md', false],
    ['docs/**', '*', false],
    ['docs/*', 'docs/a.md', false],
    ['*', 'anything/at all', true],
    ['*', '*', true],
    ['docs/a.md', '*', false],
  ])('%s, asked for %s: %s', (pattern, target, expected) => {
    expect(covers(pattern, target)).toBe(expected);
  });

  test('nothing but itself, where it is a literal', () => {
    const text = fc.string({ minLength: 1 }).filter((each) => !looksLikePattern(each));
    fc.assert(fc.property(text, text, (a, b) => covers(a, b) === (a === b)));
  });
});
