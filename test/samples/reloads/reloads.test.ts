import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isThorough } from '../../builders/isThorough.ts';
import type { Footprint } from './reloadOften.ts';

// After 600 the engine has compiled and cached what it is going to, and the heap is flat. Each version holds 400 kB: one that
// stayed would show there, and so would 1.5 kB of each of the 200. Without the long way there, all that stay do.
const { warmUp, reloads, spareBytes } = isThorough
  ? { warmUp: 600, reloads: 200, spareBytes: 300_000 }
  : { warmUp: 20, reloads: 10, spareBytes: 2_000_000 };

it(`${reloads} reloads of a plugin leave no listener, no timer and no memory behind`, async () => {
  const script = join(import.meta.dirname, 'reloadOften.ts');
  const args = ['--expose-gc', '--no-warnings', script, String(warmUp), String(reloads)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [before, after] = JSON.parse(stdout) as [Footprint, Footprint];
  expect(after.runningServices).toBe(1);
  expect(after.resources).toEqual(before.resources);
  expect(after.processListeners).toBe(before.processListeners);
  expect(after.heapBytes - before.heapBytes).toBeLessThan(spareBytes);
});
