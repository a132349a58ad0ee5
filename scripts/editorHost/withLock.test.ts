import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { withLock } from './withLock.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-lock-'));
  file = join(folder, 'deeper', 'lock');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const quick = { interval: 5, onWait: () => undefined };

describe('withLock', () => {
  it('runs one holder at a time and tells the second that it waits', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let enter: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const first = withLock(file, quick, async () => {
      order.push('first in');
      enter();
      await held;
      order.push('first out');
    });
    const onWait = (): void => {
      order.push('second waits');
      release();
    };
    await entered;
    await withLock(file, { ...quick, onWait }, async () => {
      order.push('second in');
    });
    await first;
    expect(order).toEqual(['first in', 'second waits', 'first out', 'second in']);
  });

  it('takes over from a holder that died', async () => {
    await withLock(file, quick, async () => undefined);
    await writeFile(file, '');
    const long = new Date(Date.now() - 60_000);
    await utimes(file, long, long);
    expect(await withLock(file, quick, async () => 'done')).toBe('done');
  });

  it('gives the lock back when the work fails', async () => {
    await expect(
      withLock(file, quick, async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });
});
