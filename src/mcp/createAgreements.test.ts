import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWatchedClock } from '../../test/builders/createWatchedClock.ts';
import { PincerError } from '../base/errors.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../host/node/nodeProcessTimes.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import {
  createAgreements,
  type Agreement,
  type Agreements,
  type AgreementsDeps,
} from './createAgreements.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pincer-agreements-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const fs = createNodeFileSystem();
const agreement: Agreement = {
  launch: { kind: 'address', origin: 'https://tide.example', headers: [] },
  tools: [],
  isListed: true,
  agreedAt: 1,
};

function openWindow(changes: Partial<AgreementsDeps> = {}): Agreements {
  return createAgreements({
    fs,
    clock: systemClock,
    owner: createProcessOwner(nodeProcessTimes(), process.pid),
    home,
    report: ({ message }) => expect.unreachable(message),
    ...changes,
  });
}

it('loses no agreement where two windows write at once', async () => {
  const [first, second] = [openWindow(), openWindow()];
  const keys = Array.from({ length: 10 }, (_, at) => [`user a${at}`, `user b${at}`] as const);
  await Promise.all(
    keys.flatMap(([one, other]) => [first.set(one, agreement), second.set(other, agreement)]),
  );
  expect([...(await openWindow().read()).all.keys()].sort()).toEqual(keys.flat().sort());
});

it('says why it could not write where a full disk refuses the release too, and keeps no window waiting without end', async () => {
  let isFull = true;
  const reported: string[] = [];
  const first = openWindow({
    fs: {
      ...fs,
      writeFile: (path, ...rest) =>
        isFull
          ? Promise.reject(new PincerError('io_failed', `No space left: ${path}`))
          : fs.writeFile(path, ...rest),
    },
    report: ({ code }) => reported.push(code),
  });
  await expect(first.set('user a', agreement)).rejects.toThrow(`No space left: ${join(home, 'mcp.json')}`);
  expect(reported).toEqual(['mcp_agreements_not_released']);
  const clock = createWatchedClock();
  const second = openWindow({ clock });
  const refused = expect(second.set('user b', agreement)).rejects.toMatchObject({
    code: 'mcp_agreements_locked',
    message: expect.stringContaining(join(home, 'mcp.json.locks')) as string,
  });
  await clock.set(25);
  clock.advance(10_000);
  await refused;
  isFull = false;
  await first.set('user a', agreement);
  await second.set('user b', agreement);
  expect([...(await first.read()).all.keys()].sort()).toEqual(['user a', 'user b']);
});

it('adds to what is agreed to now what a start has shown, and nothing where that is for another start or taken back', async () => {
  const window = openWindow();
  const { launch } = agreement;
  await window.set('user a', { ...agreement, without: ['echo'] });
  const known = { ...agreement, without: ['echo'], wire: 'modern' };
  expect(await window.amend('user a', launch, { wire: 'modern' })).toEqual(known);
  expect((await window.read()).all.get('user a')).toEqual(known);
  const other = { ...launch, origin: 'https://other.example' } as const;
  expect(await window.amend('user a', other, { wire: 'legacy' })).toEqual(known);
  await window.set('user a', undefined);
  expect(await window.amend('user a', launch, { wire: 'legacy' })).toBeUndefined();
  expect((await window.read()).all.size).toBe(0);
});
