import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createInMemoryLog } from '../../host/memory/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import { createConsentStore } from '../consent/consentStore.ts';
import { createModuleLoader } from '../load/createModuleLoader.ts';
import { createInternalEvents } from './createInternalEvents.ts';
import { createOperatorHooks } from './createOperatorHooks.ts';

it('60 versions of one hook leave one listener, no modules in Node and few snapshots', async () => {
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
    for (let version = 1; version <= 60; version += 1) {
      await writeFile(
        join(folder, 'handler.cjs'),
        `module.exports = (event) => void event.messages.push('${version}');\n`,
      );
      await hooks.load({ roots: [], trusted: true, config });
    }
    expect(await events.emit('command', 'new')).toEqual(['60']);
    const { cache } = createRequire(import.meta.url);
    expect(Object.keys(cache).filter((file) => file.includes(root))).toEqual([]);
    const [name = ''] = await readdir(join(root, 'state', 'hook-snapshots'));
    expect((await readdir(join(root, 'state', 'hook-snapshots', name))).length).toBeLessThanOrEqual(4);
  } finally {
    hooks.dispose();
    await rm(root, { recursive: true, force: true });
  }
});
