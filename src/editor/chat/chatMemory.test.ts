import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeProcessTimes } from '../../host/node/nodeProcessTimes.ts';
import { createProcessOwner } from '../../host/processOwner.ts';
import { createChatMemory, type ChatMemory, type ChatPlace } from './chatMemory.ts';

let folder: string;
let problems: string[];
let time = 0;
const file = (): string => join(folder, 'state', 'chats');
/** Another host process. */
const open = (pid = process.pid, startTimeOf = nodeProcessTimes()): ChatMemory =>
  createChatMemory(
    file(),
    createProcessOwner(startTimeOf, pid),
    (problem) => void problems.push(problem),
    () => (time += 1),
  );
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-chats-'));
  problems = [];
});
afterEach(() => rm(folder, { recursive: true }));

const placeAt = (sessionId: string, agentId = 'main'): Required<ChatPlace> => ({
  sessionId,
  agentId,
  sessionKey: `key of ${sessionId}`,
});

/** A chat as its user leads it: each request with the session that it led to, `session` or `session agent`. */
async function lead(
  memory: ChatMemory,
  chat: readonly (readonly [request: string, to: string])[],
): Promise<void> {
  for (const [at, [, to]] of chat.entries()) {
    const requests = chat.slice(0, at + 1).map(([request]) => request);
    const [sessionId = '', agentId = 'main'] = to.split(' ');
    const from = chat[at - 1]?.[1].split(' ')[0];
    await memory.note({ requests, from, place: placeAt(sessionId, agentId), isTurn: true });
    await memory.ended(sessionId);
  }
}

/** What the panel shows: so many requests, and which session the newest whole answer names. */
const shown = (
  requests: readonly string[],
  named?: string,
  answered = named === undefined ? 0 : requests.length,
) => ({
  requests,
  answered,
  named,
});

describe('a chat that an earlier process answered', () => {
  const secret = ['SECRET', 's1'] as const;

  it.each([
    ['that with it', ['SECRET', '/new'], 's1', 1],
    ['that without its answer', ['SECRET'], undefined, 0],
    ['all before it', ['SECRET'], 's1', 1],
  ] as const)(
    'stands behind its last /new where the panel has %s',
    async (_name, requests, named, answered) => {
      await lead(open(), [secret, ['/new', 's2']]);
      expect(await open().placeOf(shown(requests, named, answered))).toEqual(placeAt('s2'));
    },
  );

  it('stands there however many requests the panel has lost', async () => {
    await lead(open(), [secret, ['more', 's1'], ['/status', 's1'], ['/new', 's2']]);
    expect(await open().placeOf(shown(['SECRET'], 's1'))).toMatchObject({ sessionId: 's2' });
  });

  it('stands behind the last of several moves, whatever was said between', async () => {
    await lead(open(), [
      ['harmless', 's1'],
      ['/new', 's2'],
      ['SECRET', 's2'],
      ['/new', 's3'],
    ]);
    for (const requests of [['harmless'], ['harmless', '/new']])
      expect(await open().placeOf(shown(requests, 's1', 1))).toMatchObject({ sessionId: 's3' });
  });

  it('stands there also after a request that named no session', async () => {
    await lead(open(), [secret, ['/new', 's2']]);
    const found = await open().placeOf(shown(['SECRET', '/resume nonsuch'], 's1', 1));
    expect(found).toMatchObject({ sessionId: 's2' });
  });

  it('stands there also with the session that another chat has left or shares', async () => {
    await lead(open(), [
      ['hello', 's1'],
      ['/resume s9', 's9'],
      ['/resume s1', 's1'],
    ]);
    expect(await open().placeOf(shown(['hello'], 's1'))).toMatchObject({ sessionId: 's1' });
    await lead(open(), [secret, ['/resume s9', 's9']]);
    await lead(open(), [
      ['another', 's5'],
      ['/resume s9', 's9'],
      ['more', 's9'],
    ]);
    expect(await open().placeOf(shown(['SECRET'], 's1'))).toMatchObject({ sessionId: 's9' });
  });

  it('keeps its agent before anything was said in the new session', async () => {
    await lead(open(), [
      ['one', 's1'],
      ['/agent scout', 's2 scout'],
    ]);
    for (const requests of [['one'], ['one', '/agent scout']])
      expect(await open().placeOf(shown(requests))).toEqual(placeAt('s2', 'scout'));
    expect(await open().placeOf(shown(['one', '/agent scout'], 's2'))).toMatchObject({ agentId: 'scout' });
  });

  it('is told from another one with the same words by the session that its answer names', async () => {
    await lead(open(), [
      ['hello', 's1'],
      ['go on', 's1'],
    ]);
    await lead(open(), [
      ['hello', 's2'],
      ['go on', 's2'],
    ]);
    expect(await open().placeOf(shown(['hello', 'go on'], 's1', 1))).toMatchObject({ sessionId: 's1' });
    expect(await open().placeOf(shown(['hello', 'go on'], 's2', 1))).toMatchObject({ sessionId: 's2' });
  });

  it('has nothing of a chat that ends with the same words, and nothing of an unknown one', async () => {
    await lead(open(), [
      ['mine', 's1'],
      ['/new', 's2'],
      ['yes', 's2'],
    ]);
    await lead(open(), [
      ['SECRET', 's3'],
      ['yes', 's3'],
    ]);
    expect(await open().placeOf(shown(['mine', '/new', 'yes'], 's1', 1))).toMatchObject({ sessionId: 's2' });
    expect(await open().placeOf(shown(['yes']))).toBeUndefined();
    expect(await open().placeOf(shown(['other'], 's7'))).toEqual({ sessionId: 's7' });
  });

  it('is still known after fifty other chats, and with hundreds of requests', async () => {
    const long = Array.from({ length: 300 }, (_, at) => [`question ${at}`, 's1'] as const);
    await lead(open(), [...long, ['/new', 's2']]);
    const others = open();
    for (let chat = 0; chat < 50; chat += 1) await lead(others, [[`chat ${chat}`, `o${chat}`]]);
    expect(
      await open().placeOf(
        shown(
          long.map(([each]) => each),
          's1',
        ),
      ),
    ).toMatchObject({ sessionId: 's2' });
  });

  it('is written by one of two windows while the other one writes, too', async () => {
    const windows = [open(), open()];
    for (let chat = 0; chat < 20; chat += 1)
      for (const [at, memory] of windows.entries())
        await lead(memory, [
          [`w${at} chat ${chat}`, 'a'],
          ['/new', `w${at}-${chat}`],
        ]);
    for (const at of [0, 1])
      for (let chat = 0; chat < 20; chat += 1)
        expect(await open().placeOf(shown([`w${at} chat ${chat}`], 'a'))).toMatchObject({
          sessionId: `w${at}-${chat}`,
        });
  });
});

describe('a chat of this process', () => {
  it('stands where it went also where the panel has dropped what the answer said of itself', async () => {
    const memory = open();
    await lead(memory, [
      ['SECRET', 's1'],
      ['/new', 's2'],
    ]);
    expect(await memory.placeOf(shown(['SECRET', '/new'], 's1', 1))).toMatchObject({ sessionId: 's2' });
  });

  it('stands where it stood then, where its user has taken requests away', async () => {
    const memory = open();
    await lead(memory, [
      ['one', 's1'],
      ['/new', 's2'],
      ['two', 's2'],
    ]);
    expect(await memory.placeOf(shown(['one'], 's1'))).toMatchObject({ sessionId: 's1' });
    await memory.note({
      requests: ['one', 'other'],
      from: 's1',
      place: placeAt('s1'),
      isTurn: true,
    });
    expect(await memory.placeOf(shown(['one', '/new', 'two'], 's2'))).toMatchObject({ sessionId: 's2' });
    expect(await memory.placeOf(shown(['one', 'other'], 's1'))).toMatchObject({ sessionId: 's1' });
  });

  it('goes on after a reload, also through the next one', async () => {
    await lead(open(), [
      ['SECRET', 's1'],
      ['/new', 's2'],
    ]);
    const second = open();
    expect(await second.placeOf(shown(['SECRET'], 's1'))).toEqual(placeAt('s2'));
    const place = placeAt('s2');
    await second.note({ requests: ['SECRET', 'REMEMBER'], from: 's2', place, isTurn: true });
    expect(await open().placeOf(shown(['SECRET'], 's1'))).toMatchObject({ sessionId: 's2' });
  });
});

describe('a turn that was cut off', () => {
  const begin = (memory: ChatMemory, request: string, sessionId: string): Promise<void> =>
    memory.note({
      requests: [request],
      from: undefined,
      place: placeAt(sessionId),
      isTurn: true,
    });

  it('is found by the next process, and only there', async () => {
    const first = open();
    await begin(first, 'check the log', 's1');
    expect(await first.interrupted()).toBeUndefined();
    expect(await open().interrupted()).toMatchObject({ sessionId: 's1' });
  });

  it('is not one that has ended, beside another or alone', async () => {
    const first = open();
    await begin(first, 'one', 's1');
    await begin(first, 'two', 's2');
    await first.ended('s2');
    expect(await open().interrupted()).toMatchObject({ sessionId: 's1' });
    await first.ended('s1');
    expect(await open().interrupted()).toBeUndefined();
  });

  it("is another window's as long as that window lives, and left to the next one when it ends", async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
    try {
      const first = open(other.pid);
      await begin(first, 'one', 's1');
      expect(await open().interrupted()).toBeUndefined();
      expect(await open().runsElsewhere()).toBe(true);
      first.leave();
      expect(await open().interrupted()).toMatchObject({ sessionId: 's1' });
      expect(await open().runsElsewhere()).toBe(false);
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('is left where its process was killed, also when a later one has got the same number', async () => {
    const started = (time: string) => () => Promise.resolve(time);
    await begin(open(4_711, started('noon')), 'one', 's1');
    const next = open(4_712, started('evening'));
    expect(await next.interrupted()).toMatchObject({ sessionId: 's1' });
    expect(await next.runsElsewhere()).toBe(false);
  });

  it('is offered no more once its session has gone on, in a chat of another process, to the end of a turn', async () => {
    await begin(open(), 'one', 's1');
    const next = open();
    const place = placeAt('s1');
    await next.note({ requests: ['one', '/resume '], from: 's1', place, isTurn: true });
    expect(await open().interrupted()).toMatchObject({ sessionId: 's1' });
    await next.ended('s1');
    expect(await open().interrupted()).toBeUndefined();
  });

  it('is never offered again once it was dismissed', async () => {
    await begin(open(), 'one', 's1');
    await open().forget('s1');
    expect(await open().interrupted()).toBeUndefined();
  });
});

it('writes the words of the user nowhere', async () => {
  await lead(open(), [['my password is hunter2', 's1']]);
  const [name = ''] = await readdir(file());
  expect(await readFile(join(file(), name), 'utf8')).not.toContain('hunter2');
});

it('goes on when nothing can be written, or what was written is damaged, and says so', async () => {
  await writeFile(join(folder, 'state'), 'a file in the way');
  await lead(open(), [['one', 's1']]);
  expect(problems.join('')).toContain('chats');

  await rm(join(folder, 'state'));
  problems = [];
  await lead(open(), [['one', 's1']]);
  const [name = ''] = await readdir(file());
  await writeFile(join(file(), name), '{"id":');
  await lead(open(), [['two', 's2']]);
  expect(await open().placeOf(shown(['two']))).toMatchObject({ sessionId: 's2' });
  expect(problems.join('')).toContain('damaged');
});
