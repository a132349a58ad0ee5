import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createGrantStore, type GrantStore, type NewGrant } from './createGrantStore.ts';
import { createTenantGrants } from './createTenantGrants.ts';

const grant: NewGrant = { toolName: 'write', asker: 'host', target: 'docs/a.md', workspace: '/w' };
let folder: string;
let path: string;
let broken: number;
const open = (): GrantStore =>
  createGrantStore({
    fs: createNodeFileSystem(),
    path,
    clock: createManualClock(7),
    report: () => void (broken += 1),
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-tenant-grants-'));
  path = join(folder, 'grants.json');
  broken = 0;
});
afterEach(() => rm(folder, { recursive: true }));

it('an "always" holds for the tenant that it was given for, after a restart too, and for no other and nobody', async () => {
  await open().add({ ...grant, tenantId: 'a' });
  const again = open();
  expect(await again.matches({ ...grant, tenantId: 'a' })).toBe(true);
  expect(await again.matches({ ...grant, tenantId: 'b' })).toBe(false);
  expect(await again.matches(grant)).toBe(false);
});

it('an "always" of nobody holds for no tenant', async () => {
  await open().add(grant);
  expect(await open().matches(grant)).toBe(true);
  expect(await open().matches({ ...grant, tenantId: 'a' })).toBe(false);
});

it('the same "always" of two tenants is two', async () => {
  const store = open();
  await store.add({ ...grant, tenantId: 'a' });
  await store.add({ ...grant, tenantId: 'b' });
  expect((await store.list()).map(({ tenantId }) => tenantId)).toEqual(['a', 'b']);
});

it('a tenant lists, adds, matches and revokes its own alone', async () => {
  const store = open();
  let tenantId: string | undefined = 'a';
  const own = createTenantGrants(store, () => tenantId);
  const { id } = await own.add({ ...grant, tenantId: 'b' });
  expect(await own.list()).toMatchObject([{ id, tenantId: 'a' }]);
  expect(await own.matches({ ...grant, tenantId: 'b' })).toBe(true);
  for (tenantId of ['b', undefined]) {
    expect(await own.list()).toEqual([]);
    expect(await own.matches({ ...grant, tenantId: 'a' })).toBe(false);
    await expect(own.revoke(id)).rejects.toMatchObject({ code: 'grant_unknown' });
  }
  tenantId = 'a';
  await own.revoke(id);
  expect(await store.list()).toEqual([]);
});

it('a file whose tenants can’t be read grants nothing to anybody', async () => {
  await open().add({ ...grant, tenantId: 'a' });
  await writeFile(path, (await readFile(path, 'utf8')).replace('"a"', '""'));
  expect(await open().matches(grant)).toBe(false);
  expect(broken).toBe(1);
});
