import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../host/node/nodeProcessTimes.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createAgreements, type Agreement } from './createAgreements.ts';

it('loses no agreement where two windows write at once', async () => {
  const home = await mkdtemp(join(tmpdir(), 'pincer-agreements-'));
  const window = () =>
    createAgreements({
      fs: createNodeFileSystem(),
      clock: systemClock,
      owner: createProcessOwner(nodeProcessTimes(), process.pid),
      home,
      report: ({ message }) => expect.unreachable(message),
    });
  const agreement: Agreement = {
    launch: { kind: 'address', origin: 'https://tide.example', headers: [] },
    tools: [],
    isListed: true,
    agreedAt: 1,
  };
  try {
    const [first, second] = [window(), window()];
    const keys = Array.from({ length: 10 }, (_, at) => [`user a${at}`, `user b${at}`] as const);
    await Promise.all(
      keys.flatMap(([one, other]) => [first.set(one, agreement), second.set(other, agreement)]),
    );
    expect([...(await window().read()).keys()].sort()).toEqual(keys.flat().sort());
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
