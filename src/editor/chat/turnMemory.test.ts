import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatHash, createTurnMemory, type ChatMove, type TurnMemory } from './turnMemory.ts';

let folder: string;
const problems: string[] = [];
const open = (): TurnMemory =>
  createTurnMemory(join(folder, 'state', 'turns.json'), (problem) => void problems.push(problem));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-turns-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('finds the turn that was cut off in the next process, and only there', async () => {
  const first = open();
  await first.begin('s1', 'check the log');
  expect(await first.interrupted()).toBeUndefined();
  expect(await open().interrupted()).toMatchObject({ sessionId: 's1', isOpen: true });
});

it('keeps an ended turn for finding its session, not for resuming', async () => {
  const first = open();
  await first.begin('s1', 'check the log');
  await first.end('s1');
  expect(await open().interrupted()).toBeUndefined();
  const shown = (said: string) => ({ requests: [`/ ${said}`], unanswered: said });
  expect(await open().sessionOf(shown('check the log'))).toEqual({ sessionId: 's1' });
  expect(await open().sessionOf(shown('something else'))).toBeUndefined();
});

it('keeps two chats at once apart', async () => {
  const first = open();
  await first.begin('s1', 'one');
  await first.begin('s2', 'two');
  await first.end('s2');
  expect(await open().interrupted()).toMatchObject({ sessionId: 's1' });
});

describe('a chat that went on with another session', () => {
  const hello = ['/ hello'];
  const move = (from: string, requests: readonly string[], request: string): ChatMove => ({
    from,
    before: chatHash(requests),
    after: chatHash([...requests, request]),
    agentId: 'main',
  });

  it('is known by the next process, whether the panel kept the request that moved it or not', async () => {
    await open().move('s2', move('s1', hello, '/new '));
    for (const requests of [hello, [...hello, '/new ']])
      expect(await open().sessionOf({ requests, named: 's1' })).toEqual({ sessionId: 's2', agentId: 'main' });
  });

  it('is known by the next process also where the panel has no whole answer from before the move', async () => {
    const memory = open();
    await memory.begin('s1', 'hello');
    await memory.end('s1');
    await memory.move('s2', move('s1', hello, '/new '));
    const found = { sessionId: 's2', agentId: 'main' };
    expect(await open().sessionOf({ requests: hello, unanswered: 'hello' })).toEqual(found);
    expect(await open().sessionOf({ requests: hello, unanswered: 'hello', named: 's0' })).toEqual(found);
  });

  it('is followed as far as it went, also by what was said there since', async () => {
    const memory = open();
    await memory.move('s2', move('s1', hello, '/new '));
    await memory.begin('s2', 'more');
    await memory.end('s2');
    await memory.move('s3', { ...move('s2', [...hello, '/new '], '/agent scout'), agentId: 'scout' });
    expect(await open().sessionOf({ requests: hello, named: 's1' })).toEqual({
      sessionId: 's3',
      agentId: 'scout',
    });
    // The panel had lost the first move when the second came.
    await open().move('s4', move('s3', hello, '/new '));
    expect(await open().sessionOf({ requests: hello, named: 's1' })).toMatchObject({ sessionId: 's4' });
  });

  it('moves no other chat that shows the same session, and none whose panel answers for itself', async () => {
    const memory = open();
    await memory.move('s2', move('s1', hello, '/new '));
    const resumed = { requests: ['/resume s1'], named: 's1' };
    expect(await open().sessionOf(resumed)).toEqual({ sessionId: 's1' });
    const stored = { requests: [...hello, '/new '], named: 's2' };
    expect(await open().sessionOf(stored)).toEqual({ sessionId: 's2' });
    expect(await memory.sessionOf({ requests: hello, named: 's1' })).toEqual({ sessionId: 's1' });
  });
});

it('never offers a dismissed turn again', async () => {
  await open().begin('s1', 'one');
  await open().forget('s1');
  expect(await open().interrupted()).toBeUndefined();
});

it('writes the words of the user nowhere', async () => {
  await open().begin('s1', 'my password is hunter2');
  expect(await readFile(join(folder, 'state', 'turns.json'), 'utf8')).not.toContain('hunter2');
});

it('goes on when the file can not be written, and says so', async () => {
  await writeFile(join(folder, 'state'), 'a file in the way');
  const memory = open();
  await memory.begin('s1', 'one');
  expect(problems.join('')).toContain('turns.json');
});
