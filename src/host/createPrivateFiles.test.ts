import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivateFiles } from './createPrivateFiles.ts';
import { createNodeFileSystem } from './node/nodeFileSystem.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-private-'));
});
afterEach(() => rm(root, { recursive: true }));

const modeOf = async (...path: readonly string[]): Promise<string> =>
  ((await stat(join(root, ...path))).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('createPrivateFiles', () => {
  const disk = createNodeFileSystem();
  const open = () => createPrivateFiles(disk, [join(root, 'state')]);

  it('what is written in its folders is for the user alone, the folders included', async () => {
    const files = open();
    await files.writeFile(join(root, 'state', 'traces', 'a.json'), 'a');
    await files.append(join(root, 'state', 'sessions', 'b.jsonl'), 'b');
    await files.makeDirectory(join(root, 'state', 'c'));
    expect([
      await modeOf('state'),
      await modeOf('state', 'traces'),
      await modeOf('state', 'sessions'),
      await modeOf('state', 'c'),
    ]).toEqual(['700', '700', '700', '700']);
    expect([await modeOf('state', 'traces', 'a.json'), await modeOf('state', 'sessions', 'b.jsonl')]).toEqual(
      ['600', '600'],
    );
  });

  it('takes from a file that is there already what others may do with it', async () => {
    const [written, appended] = [join(root, 'state', 'a'), join(root, 'state', 'b')];
    for (const path of [written, appended]) {
      await disk.writeFile(path, 'old');
      await chmod(path, 0o744);
    }
    await open().writeFile(written, 'new');
    await open().append(appended, 'more');
    expect([await modeOf('state', 'a'), await modeOf('state', 'b')]).toEqual(['700', '700']);
  });

  it('leaves everything else as it is: new files as usual, others with their bits', async () => {
    const usual = join(root, 'usual');
    await disk.writeFile(usual, '');
    const script = join(root, 'state-of-things', 'run.sh');
    await disk.writeFile(script, 'old');
    await chmod(script, 0o755);
    await open().writeFile(script, 'new');
    await open().writeFile(join(root, 'state-of-things', 'new'), '');
    expect(await modeOf('state-of-things', 'run.sh')).toBe('755');
    expect(await modeOf('state-of-things', 'new')).toBe(await modeOf('usual'));
  });
});
