import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import { createConsentStore } from '../consent/consentStore.ts';
import { createModuleLoader } from '../load/createModuleLoader.ts';
import { createInternalEvents } from './createInternalEvents.ts';
import { createOperatorHooks } from './createOperatorHooks.ts';

it('60 versions of one hook leave one listener, no modules in Node and, days later, few snapshots', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pincer-hook-reload-'));
  const fs = createNodeFileSystem();
  const home = join(root, '.pincer');
  const events = createInternalEvents({ clock: systemClock, report: () => undefined });
  const hooks = createOperatorHooks({
    fs,
    clock: systemClock,
    log: createInMemoryLog(),
    loader: createModuleLoader(),
    stateDir: join(root, 'state'),
    home,
    homeDir: root,
    platform: process.platform,
    env: {},
    consents: createConsentStore(fs, home),
    events,
  });
  try {
    const folder = join(home, 'hooks', 'counter');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'HOOK.md'),
      '---\nname: counter\nmetadata: { openclaw: { events: [command] } }\n---\n',
    );
    const config = { enabled: true, entries: {}, load: { extraDirs: [] } };
    const snapshots = join(root, 'state', 'hook-snapshots');
    for (let version = 1; version <= 60; version += 1) {
      if (version === 60) await letDaysPass(snapshots);
      await writeFile(
        join(folder, 'handler.cjs'),
        `module.exports = (event) => void event.messages.push('${version}');\n`,
      );
      await hooks.load({ roots: [], trusted: true, config });
    }
    expect(await events.emit('command', 'new')).toEqual(['60']);
    const { cache } = createRequire(import.meta.url);
    expect(Object.keys(cache).filter((file) => file.includes(root))).toEqual([]);
    const [name = ''] = await readdir(snapshots);
    expect((await readdir(join(snapshots, name))).length).toBeLessThanOrEqual(4);
  } finally {
    hooks.dispose();
    await rm(root, { recursive: true, force: true });
  }
});

async function letDaysPass(snapshots: string): Promise<void> {
  const [name = ''] = await readdir(snapshots);
  for (const version of await readdir(join(snapshots, name)))
    await utimes(join(snapshots, name, version), 1, 1);
}
