import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Footprint } from './reloadOften.ts';

it(
  '200 reloads of a plugin leave no listener, no timer and no memory behind',
  { timeout: 120_000 },
  async () => {
    const script = join(import.meta.dirname, 'reloadOften.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--no-warnings', script]);
    const [before, after] = JSON.parse(stdout) as [Footprint, Footprint];
    expect(after.runningServices).toBe(1);
    expect(after.resources).toEqual(before.resources);
    expect(after.processListeners).toBe(before.processListeners);
    // Each version holds 400 kB: one that stayed would show, and so would 1.5 kB of each of the 200.
    expect(after.heapBytes - before.heapBytes).toBeLessThan(300_000);
  },
);
