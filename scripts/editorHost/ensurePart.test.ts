import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ensurePart } from './ensurePart.ts';

let cache: string;
let builds: number;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'pincer-cache-'));
  builds = 0;
});

afterEach(async () => {
  await rm(cache, { recursive: true });
});

const part = (stamp: string) => ({
  name: 'server',
  stamp,
  build: async (dir: string) => {
    builds += 1;
    await writeFile(join(dir, 'made'), stamp);
  },
});

const quiet = (): void => undefined;

describe('ensurePart', () => {
  it('builds once for one stamp and again for another', async () => {
    const dir = await ensurePart(cache, part('1'), quiet);
    await ensurePart(cache, part('1'), quiet);
    expect(builds).toBe(1);
    await ensurePart(cache, part('2'), quiet);
    expect(builds).toBe(2);
    expect(await readFile(join(dir, 'made'), 'utf8')).toBe('2');
  });

  it('builds once for two callers at a time', async () => {
    await Promise.all([ensurePart(cache, part('1'), quiet), ensurePart(cache, part('1'), quiet)]);
    expect(builds).toBe(1);
  });

  it('builds again after a build that failed or was cut off', async () => {
    const failing = { ...part('1'), build: async () => Promise.reject(new Error('cut off')) };
    await expect(ensurePart(cache, failing, quiet)).rejects.toThrow('cut off');
    await mkdir(join(cache, 'server.partial-of-a-killed-process'));
    await ensurePart(cache, part('1'), quiet);
    expect(await readdir(cache)).toEqual(['server']);
  });
});
