import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storageDeps } from '../../test/builders/openStorageWorld.ts';
import { createAgentStorage } from './createAgentStorage.ts';

it('opens nothing any more once it is closed, whatever file counts then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-agent-storage-'));
  const deps = storageDeps(folder);
  const never = createAgentStorage(deps, () => undefined);
  await never.close();
  const used = createAgentStorage(deps, () => undefined);
  const before = used.current();
  await used.close();
  for (const storage of [before, used.current(), never.current()]) {
    const set = storage.forTenant(undefined).database.set('a', 1);
    await expect(set).rejects.toMatchObject({ code: 'storage_closed' });
  }
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
