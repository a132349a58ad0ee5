import { createInterface } from 'node:readline';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { createWriterLock } from '../../../src/host/createWriterLock.ts';

/** A process that asks for the lock of each folder that it is told, and prints whether it got it. */
const owner = createProcessOwner(nodeProcessTimes(), process.pid);
process.stdout.write(`${await owner.id()}\n`);
for await (const folder of createInterface({ input: process.stdin })) {
  const lock = createWriterLock({ fs: createNodeFileSystem(), owner, folder, clock: systemClock });
  process.stdout.write(`${String(await lock.tryAcquire())}\n`);
}
