import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWatchedClock } from '../../test/builders/createWatchedClock.ts';
import { PincerError } from '../base/errors.ts';
import { createInMemorySecrets } from '../host/createInMemorySecrets.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../host/node/nodeProcesses.ts';
import { nodeProcessTimes } from '../host/node/nodeProcessTimes.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createPackageFetcher, type PackageFetcherDeps } from './createPackageFetcher.ts';
import { doneName, type PackageFetch } from './keptPackage.ts';
import type { NamedServer } from './mcpServers.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pincer-packages-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const fs = createNodeFileSystem();
const server: NamedServer = { name: 'tides', origin: { kind: 'user' }, config: { command: 'pnpm' } };

/** What one window does: its package manager runs `script`. */
function openWindow(changes: Partial<PackageFetcherDeps> = {}) {
  const fetchPackage = createPackageFetcher({
    fs,
    clock: createWatchedClock(),
    owner: createProcessOwner(nodeProcessTimes(), process.pid),
    processes: createNodeProcesses(),
    secrets: createInMemorySecrets(),
    env: {},
    ...changes,
  });
  const said: string[] = [];
  return {
    said,
    fetch: async (script = ''): Promise<void> => {
      const wanted: PackageFetch = {
        name: 'tides-server',
        folder: join(home, 'tides'),
        files: { 'package.json': '{}' },
        program: process.execPath,
        args: ['-e', script],
      };
      await fetchPackage(server, wanted, {
        signal: new AbortController().signal,
        log: (text) => said.push(text),
        isMissing: () => Promise.resolve(true),
      });
    },
  };
}

it('says why it could not fetch where a full disk refuses the release too, and keeps no fetch waiting without end', async () => {
  let isFull = true;
  const one = openWindow({
    fs: {
      ...fs,
      writeFile: (path, ...rest) =>
        isFull
          ? Promise.reject(new PincerError('io_failed', `No space left: ${path}`))
          : fs.writeFile(path, ...rest),
    },
  });
  await expect(one.fetch()).rejects.toThrow(`No space left: ${join(home, 'tides/package.json')}`);
  expect(one.said.join('')).toContain(`The lock in ${join(home, 'tides.locks')} could not be released`);
  const clock = createWatchedClock();
  const refused = expect(openWindow({ clock }).fetch()).rejects.toMatchObject({
    code: 'mcp_package_not_fetched',
    message: expect.stringContaining(join(home, 'tides.locks')) as string,
    hint: expect.stringContaining('close the other windows') as string,
  });
  await clock.set(200);
  clock.advance(300_000);
  await refused;
  isFull = false;
  await one.fetch();
  expect(one.said.join('')).not.toContain('Another window');
  await access(join(home, 'tides', doneName));
});

it('fetches a package into its folder one after the other, within a window too', async () => {
  const clock = createWatchedClock();
  const window = openWindow({ clock });
  const fetches = [window.fetch(), window.fetch()];
  await clock.set(200);
  await Promise.race(fetches);
  clock.advance(200);
  await Promise.all(fetches);
  expect(window.said).toEqual(['Another window fetches it.\n']);
});

it('calls no package complete whose folder another window has taken over meanwhile', async () => {
  const lock = join(home, 'tides.locks/writer-9.lock');
  const script = `require('fs').writeFileSync(${JSON.stringify(lock)}, '{}')`;
  await expect(openWindow().fetch(script)).rejects.toMatchObject({
    code: 'mcp_package_not_fetched',
    message: expect.stringContaining('another window') as string,
  });
  await expect(access(join(home, 'tides', doneName))).rejects.toThrow();
});
