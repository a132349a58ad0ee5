import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReadTracker, type ReadTracker } from './createReadTracker.ts';
import { createNodeFileSystem } from './node/nodeFileSystem.ts';

let folder: string;
let tracker: ReadTracker;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-reads-')));
  tracker = createReadTracker(createNodeFileSystem());
  await writeFile(at('a.js'), 'one');
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const reads = (name: string) => tracker.record((fs) => fs.readText(at(name)));

it('is not outdated before anything was read, nor while all is as it was', async () => {
  expect(await tracker.isOutdated()).toBe(false);
  expect(await reads('a.js')).toBe('one');
  await writeFile(at('b.js'), 'of no interest');
  expect(await tracker.isOutdated()).toBe(false);
});

it('sees a file that was written in the moment after it was read, of the same size', async () => {
  for (const text of ['two', 'six', 'ten']) {
    await reads('a.js');
    await writeFile(at('a.js'), text);
    expect(await tracker.isOutdated()).toBe(true);
  }
});

it('sees a change between the note and the reading', async () => {
  await tracker.record(async (fs) => {
    await fs.stat(at('a.js'));
    await writeFile(at('a.js'), 'two');
    await fs.readText(at('a.js'));
  });
  expect(await tracker.isOutdated()).toBe(true);
});

it('sees another file in the place of the first, whatever its time and size', async () => {
  await writeFile(at('new.js'), 'two');
  for (const name of ['a.js', 'new.js']) await utimes(at(name), 1_700_000_000, 1_700_000_000);
  await reads('a.js');
  await rename(at('new.js'), at('a.js'));
  expect(await tracker.isOutdated()).toBe(true);
});

it('does not look at places that do not count', async () => {
  tracker = createReadTracker(createNodeFileSystem(), (path) => path !== at('a.js'));
  await reads('a.js');
  await writeFile(at('a.js'), 'longer than before');
  expect(await tracker.isOutdated()).toBe(false);
  await writeFile(at('b.js'), 'one');
  await reads('b.js');
  await writeFile(at('b.js'), 'longer than before');
  expect(await tracker.isOutdated()).toBe(true);
});

it('sees what goes, and what comes where nothing was', async () => {
  await reads('a.js');
  await rm(at('a.js'));
  expect(await tracker.isOutdated()).toBe(true);
  await tracker.record((fs) => fs.stat(at('plugins/agent.yml')));
  expect(await tracker.isOutdated()).toBe(false);
  await mkdir(at('plugins'));
  expect(await tracker.isOutdated()).toBe(false);
  await writeFile(at('plugins/agent.yml'), '');
  expect(await tracker.isOutdated()).toBe(true);
});

it('sees a name that comes into a folder that was listed, and one that leaves it', async () => {
  const lists = () => tracker.record((fs) => fs.readDirectory(folder));
  await lists();
  await writeFile(at('b.js'), '');
  expect(await tracker.isOutdated()).toBe(true);
  await lists();
  await rm(at('b.js'));
  expect(await tracker.isOutdated()).toBe(true);
});

it('sees a link that leads elsewhere', async () => {
  await writeFile(at('b.js'), 'two');
  await symlink(at('a.js'), at('link'));
  await tracker.record((fs) => fs.realpath(at('link')));
  await rm(at('link'));
  await symlink(at('b.js'), at('link'));
  expect(await tracker.isOutdated()).toBe(true);
});

it('counts what was read last, of a reading that failed as well', async () => {
  await reads('a.js');
  await expect(reads('none.js')).rejects.toMatchObject({ code: 'io_not_found' });
  await writeFile(at('a.js'), 'two');
  expect(await tracker.isOutdated()).toBe(false);
  await writeFile(at('none.js'), '');
  expect(await tracker.isOutdated()).toBe(true);
});
