import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { questionOf, type CallParts } from '../../test/builders/callContexts.ts';
import { shutdown } from '../base/abort.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import type { ApprovalBroker, ApprovalQuestion, ApprovalOutcome } from './approvalBroker.ts';
import { createApprovalBroker } from './createApprovalBroker.ts';
import { createGrantStore } from './createGrantStore.ts';
import { createPendingApprovals, type PendingApprovals } from './createPendingApprovals.ts';

let folder: string;
/** Start times of the processes that live. */
let alive: Map<number, string>;
const clock = createManualClock(1_000_000_000_000);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-pending-'));
  alive = new Map();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A window, with its own process and its own broker. */
function openWindow(pid: number, startTime = 'noon'): { broker: ApprovalBroker; pending: PendingApprovals } {
  alive.set(pid, startTime);
  const fs = createNodeFileSystem();
  const log = createInMemoryLog();
  const pending = createPendingApprovals({
    fs,
    folder: join(folder, 'approvals'),
    clock,
    log,
    pid,
    owner: createProcessOwner(async (id) => alive.get(id), pid),
  });
  const grants = createGrantStore({ fs, path: join(folder, 'grants.json'), clock, report: () => undefined });
  const limits = { mode: 'ask', canAsk: true, timeoutMayAllow: false } as const;
  return { broker: createApprovalBroker({ clock, log, grants, limits: () => limits, pending }), pending };
}

/** Resolves when all that was added or taken away so far is on disk: the changes are made one after the other. */
const written = async (pending: PendingApprovals): Promise<void> => {
  await pending.take('none');
};

const params = { command: 'npm test', token: 's3cret' };

async function ask(
  broker: ApprovalBroker,
  parts: CallParts & Partial<ApprovalQuestion> = {},
): Promise<{ asked: ApprovalRequest; outcome: Promise<ApprovalOutcome> }> {
  let outcome: Promise<ApprovalOutcome> | undefined;
  const asked = await new Promise<ApprovalRequest>((resolve) => {
    outcome = broker.request(
      ...questionOf({
        toolName: 'exec',
        params,
        asks: [{ asker: 'host', title: 'Run a command', description: 'npm test', severity: 'warning' }],
        edits: [],
        grantScope: undefined,
        ...parts,
        onAsked: resolve,
      }),
    );
  });
  return { asked, outcome: outcome! };
}

/** A window that asked one question and then ended without an answer. */
async function endedWindow(pid = 1): Promise<ApprovalRequest> {
  const { broker, pending } = openWindow(pid);
  const { asked } = await ask(broker);
  await written(pending);
  alive.delete(pid);
  return asked;
}

describe('a question that was open when its window ended', () => {
  test('is listed as interrupted, without its parameters and for nobody else to read', async () => {
    const asked = await endedWindow();
    const { broker } = openWindow(2);
    expect(await broker.interrupted()).toMatchObject([
      { id: asked.id, toolName: 'exec', title: 'Run a command', callHash: asked.callHash, sessionId: 's1' },
    ]);
    expect(broker.pending()).toEqual([]);
    const [name] = await readdir(join(folder, 'approvals'));
    const file = join(folder, 'approvals', name!);
    expect(await readFile(file, 'utf8')).not.toContain('s3cret');
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  test('can not be answered any more', async () => {
    const asked = await endedWindow();
    const { broker } = openWindow(2);
    expect(broker.resolve(asked.id, 'allow-once', 'palette')).toMatchObject({
      error: { code: 'approval_unknown' },
    });
  });

  test('is asked again when the same session makes the same call, says so, and is off the list then', async () => {
    await endedWindow();
    const { broker } = openWindow(2);
    const { asked } = await ask(broker, { params: { token: 's3cret', command: 'npm test' } });
    expect(asked.description).toBe('asked before the window was reloaded, and unchanged · npm test');
    expect(await broker.interrupted()).toEqual([]);
  });

  test('is not taken for another call, which says that it is another one', async () => {
    await endedWindow();
    const { broker } = openWindow(2);
    const { asked } = await ask(broker, { params: { command: 'npm test; rm x' } });
    expect(asked.description).toBe('not the call that was asked before the window was reloaded · npm test');
    expect((await ask(broker, { sessionId: 's2' })).asked.description).toBe('npm test');
    expect((await ask(broker, { toolName: 'write' })).asked.description).toBe('npm test');
    expect(await broker.interrupted()).toHaveLength(1);
  });

  test('can be dismissed once, whichever window does it', async () => {
    const asked = await endedWindow();
    const [one, two] = [openWindow(2).broker, openWindow(3).broker];
    await one.dismissInterrupted(asked.id);
    await expect(two.dismissInterrupted(asked.id)).rejects.toMatchObject({
      code: 'approval_already_resolved',
    });
    expect(await two.interrupted()).toEqual([]);
  });

  test('is left out after a week', async () => {
    await endedWindow();
    const { broker } = openWindow(2);
    clock.advance(7 * 24 * 60 * 60 * 1_000 + 1);
    expect(await broker.interrupted()).toEqual([]);
  });
});

test('what the end of the runtime cancels stays on disk; what anything else ends does not', async () => {
  const { broker, pending } = openWindow(1);
  const [stopped, cancelled] = [new AbortController(), new AbortController()];
  const kept = await ask(broker, { signal: stopped.signal });
  const dropped = await ask(broker, { signal: cancelled.signal });
  const answered = await ask(broker);
  const open = await ask(broker);
  cancelled.abort();
  broker.resolve(answered.asked.id, 'deny', 'palette');
  stopped.abort(shutdown);
  broker.dispose();
  expect((await dropped.outcome).resolution).toBe('cancelled');
  await written(pending);
  alive.delete(1);
  const ids = (await openWindow(2).broker.interrupted()).map((each) => each.id);
  expect(ids).toEqual([kept.asked.id, open.asked.id]);
});

test('a question of another window that lives is not doubled; a process that only has its number is no such window', async () => {
  const first = openWindow(1);
  await ask(first.broker);
  await written(first.pending);
  const second = openWindow(2);
  expect(await second.broker.interrupted()).toEqual([]);
  expect((await ask(second.broker)).asked.description).toBe('npm test');
  alive.set(1, 'later');
  expect(await second.broker.interrupted()).toHaveLength(1);
});

describe('a question of a window that lived when it was looked at', () => {
  /** Resolves with the next change of what a window lists. */
  const nextChange = (broker: ApprovalBroker): Promise<void> =>
    new Promise((resolve) => {
      const listening = broker.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });

  test('is listed as interrupted as soon as that window has ended', async () => {
    const first = openWindow(1);
    const { asked } = await ask(first.broker);
    await written(first.pending);
    const second = openWindow(2);
    expect(await second.broker.interrupted()).toEqual([]);
    const changed = nextChange(second.broker);
    for (const wait of [1_000, 2_000]) {
      clock.advance(wait);
      await written(second.pending);
    }
    alive.delete(1);
    clock.advance(4_000);
    await changed;
    expect(await second.broker.interrupted()).toMatchObject([{ id: asked.id }]);
  });

  test('is listed at once where that window says that it ends, however long its process goes on', async () => {
    const first = openWindow(1);
    const { asked } = await ask(first.broker);
    first.broker.dispose();
    await first.pending.close();
    expect(alive.has(1)).toBe(true);
    expect(await openWindow(2).broker.interrupted()).toMatchObject([{ id: asked.id }]);
  });

  test('is looked at ever more rarely, and no more once this window has ended', async () => {
    const first = openWindow(1);
    await ask(first.broker);
    await written(first.pending);
    const second = openWindow(2);
    await second.broker.interrupted();
    let looks = 0;
    const startTime = alive.get(1);
    alive.get = (pid) => {
      looks += pid === 1 ? 1 : 0;
      return startTime;
    };
    const looksInFiftySeconds = async (): Promise<number> => {
      looks = 0;
      const seconds = 50;
      for (let at = 0; at < seconds; at += 1) {
        clock.advance(1_000);
        await written(second.pending);
      }
      // Waiting for the disk is a look, too.
      return looks - seconds;
    };
    expect(await looksInFiftySeconds()).toBe(5);
    await second.pending.close();
    expect(await looksInFiftySeconds()).toBe(0);
  });
});

test('a window whose questions are all answered leaves no file, and a broken file goes', async () => {
  const { broker, pending } = openWindow(1);
  const { asked } = await ask(broker);
  await written(pending);
  await writeFile(join(folder, 'approvals', 'broken.json'), '{ "version": 1');
  broker.resolve(asked.id, 'deny', 'palette');
  expect(await broker.interrupted()).toEqual([]);
  expect(await readdir(join(folder, 'approvals'))).toEqual([]);
});
