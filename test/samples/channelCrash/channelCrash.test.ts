import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createManualClock } from '../../builders/manualClock.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { isThorough } from '../../builders/isThorough.ts';
import { startProcess } from '../memoryCrash/startProcess.ts';
import { openKilledChannels, sentFile, takenFile } from './openKilledChannels.ts';

const kills = isThorough ? 100 : 4;
/** A program comes by about so many moments in two messages. */
const points = 60;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-kill-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it(`in ${kills} kills at every moment no message that was acknowledged is lost, and none is answered twice`, async () => {
  for (let round = 0; round < kills; round += 1) {
    const isFromInside = round % 2 === 0;
    const killAt = isFromInside ? 1 + ((round * 7) % points) : 0;
    const child = startProcess(join(root, 'compiled'), '../channelCrash/receiveAndDie.ts', [
      root,
      String(killAt),
    ]);
    if (isFromInside) await child.killed('by itself');
    else {
      await child.next();
      await setTimeout((round * 7) % 41);
      await child.killed('now');
    }
  }
  const clock = createManualClock(Date.parse('2026-11-27T10:00:00Z'));
  const { core } = await openKilledChannels(root, clock, createNodeFileSystem(), () => undefined);
  await core.inbound.recover();
  await core.inbound.settled();
  await core.channels.stop();

  const taken = new Set((await readFile(takenFile(root), 'utf8')).trim().split('\n'));
  const sent = (await readFile(sentFile(root), 'utf8')).trim().split('\n');
  const answered = sent
    .filter((line) => line.startsWith('answer '))
    .map((line) => line.slice('answer '.length));
  const noticed = sent
    .filter((line) => line.startsWith('notice '))
    .map((line) => line.slice('notice '.length));
  expect(new Set(answered).size).toBe(answered.length);
  const heard = new Set([...answered, ...noticed]);
  expect([...taken].filter((id) => !heard.has(id))).toEqual([]);
  expect(taken.size).toBeGreaterThan(kills / 2);
});
