import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTurnMemory, type TurnMemory } from './turnMemory.ts';

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
  expect(await open().find('check the log')).toMatchObject({ sessionId: 's1' });
  expect(await open().find('something else')).toBeUndefined();
});

it('keeps two chats at once apart', async () => {
  const first = open();
  await first.begin('s1', 'one');
  await first.begin('s2', 'two');
  await first.end('s2');
  expect(await open().interrupted()).toMatchObject({ sessionId: 's1' });
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
