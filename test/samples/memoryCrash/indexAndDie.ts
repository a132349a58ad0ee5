import { dirname } from 'node:path';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import type { FileSystem } from '../../../src/host/ports.ts';
import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { createWriterLock } from '../../../src/host/createWriterLock.ts';
import { createCrashingDisk } from '../crash/crashingDisk.ts';
import { applyChanges, changesOf, indexFile, openIndex } from './generations.ts';

/**
 * A process that keeps the index of `root`: it goes on with the generation that it finds, saving one after the other and
 * printing each. It kills itself at the `killAt`th point that it reaches; where `killAt` is below 1, in the middle of its
 * third save, after that part of the time that the one before took. Without it, it lives until it is killed.
 */
const [root = '', seed = '', killAt = ''] = process.argv.slice(2);

const die = (): void => void process.kill(process.pid, 'SIGKILL');

let reached = 0;
function reach(): void {
  reached += 1;
  if (reached === Number(killAt)) die();
}

let saves = 0;
let lastMs = 0;
/** Looks at the time between all steps of a save. */
function dieAfter(start: number, ms: number): void {
  if (performance.now() - start >= ms) die();
  else setImmediate(() => dieAfter(start, ms));
}

const node = createNodeFileSystem();
const fs: FileSystem = {
  ...createCrashingDisk(node, reach),
  async writeFile(...args) {
    reach();
    saves += 1;
    const start = performance.now();
    if (killAt.startsWith('0.') && saves === 3) dieAfter(start, Number(killAt) * lastMs);
    await node.writeFile(...args);
    lastMs = performance.now() - start;
  },
};
const lock = createWriterLock({
  fs,
  owner: createProcessOwner(nodeProcessTimes(), process.pid),
  folder: dirname(indexFile(root)),
  clock: systemClock,
});
if (!(await lock.tryAcquire())) throw new Error('Another process keeps the index.');
reach();
const { store, state } = await openIndex(root, fs);
process.stdout.write(`${state} ${String(store.generation)}\n`);
while (await lock.isHeld()) {
  applyChanges(store, changesOf(seed, store.generation + 1), reach);
  reach();
  await store.save();
  reach();
  process.stdout.write(`saved ${String(store.generation)}\n`);
}
