import { existsSync, readFileSync } from 'node:fs';
import { createManualClock } from '../../builders/manualClock.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { createCrashingDisk } from '../crash/crashingDisk.ts';
import { openKilledChannels, takenFile } from './openKilledChannels.ts';

/** A program whose channel brings messages without end, until it is killed: by itself at the `killAt`th moment, where that is not 0. */
const [folder = '', killAt = ''] = process.argv.slice(2);

let reached = 0;
function reach(): void {
  reached += 1;
  if (reached === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

const fs = createNodeFileSystem();
const disk = createCrashingDisk(
  {
    ...fs,
    createFile: (...given) => (reach(), fs.createFile(...given)),
    appendDurably: async (...given) => {
      reach();
      await fs.appendDurably(...given);
      reach();
    },
  },
  reach,
);
const clock = createManualClock(Date.parse('2026-11-26T10:00:00Z'));
const { receive, core } = await openKilledChannels(folder, clock, disk, reach);
// What its server has not heard to be taken it brings again, beginning with the first such message.
const taken = existsSync(takenFile(folder))
  ? readFileSync(takenFile(folder), 'utf8').trim().split('\n').map(Number)
  : [];
await core.inbound.recover();
for (let id = 1 + Math.max(0, ...taken); ; id += 1) {
  // What a sender may bring in a minute is no matter here.
  clock.advance(60_000);
  await receive(String(id));
  process.stdout.write(`${String(id)}\n`);
}
