import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createManualClock } from '../../builders/manualClock.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import type { FileSystem } from '../../../src/host/ports.ts';
import { createCrashingDisk } from '../crash/crashingDisk.ts';
import { openKilledSchedule } from './openKilledSchedule.ts';

/**
 * A window whose job is due again and again, until it is killed: by itself at the `killAt`th change of the disk, where that is not 0.
 * Each run writes its time down as what it has done; the window prints it once it is over.
 */
const [folder = '', startsAt = '', killAt = ''] = process.argv.slice(2);

let reached = 0;
function reach(): void {
  reached += 1;
  if (reached === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

function crashing(fs: FileSystem): FileSystem {
  return createCrashingDisk(
    {
      ...fs,
      createFile: (...given) => (reach(), fs.createFile(...given)),
      appendDurably: (...given) => (reach(), fs.appendDurably(...given)),
    },
    reach,
  );
}

const clock = createManualClock(Number(startsAt));
const { schedule, store } = openKilledSchedule({
  folder,
  clock,
  fs: crashing(createNodeFileSystem()),
  log: createInMemoryLog(),
  report: () => undefined,
  async runTurn({ id }) {
    reach();
    const run = (await store.runs(id)).find(({ status }) => status === undefined);
    appendFileSync(join(folder, 'done.txt'), `${String(run?.slot)}\n`);
    reach();
    return { status: 'ok' };
  },
});
schedule.onDidHappen(({ action, run }) => {
  if (action === 'finished' && run?.status === 'ok') process.stdout.write(`${String(run.slot)}\n`);
});
if ((await schedule.list()).length === 0)
  await schedule.add({ name: 'tidy', prompt: 'Tidy up.', when: { every: '1m' } }, { kind: 'user' });
await schedule.start();
for (;;) {
  await schedule.settled();
  clock.advance(60_000);
  // What is due now begins in turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
