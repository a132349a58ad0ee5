import { dirname } from 'node:path';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { createWriterLock } from '../../../src/memory/store/createWriterLock.ts';
import { createCrashingDisk } from '../crash/crashingDisk.ts';
import { applyChanges, changesOf, indexFile, openIndex } from './generations.ts';

/**
 * A process that keeps the index of `root`: it goes on with the generation that it finds, saving one after the other and
 * printing each. It kills itself at the `killAt`th point that it reaches; 0 lets it live until it is killed.
 */
const [root = '', seed = '', killAt = ''] = process.argv.slice(2);

let reached = 0;
function reach(): void {
  reached += 1;
  if (reached === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

const fs = createCrashingDisk(createNodeFileSystem(), reach);
const lock = createWriterLock({
  fs,
  owner: createProcessOwner(nodeProcessTimes(process.platform, ''), process.pid),
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
