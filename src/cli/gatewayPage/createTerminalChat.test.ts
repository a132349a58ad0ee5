import { expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test/builders/openTestRuntime.ts';
import { twoConversations } from '../../../test/builders/twoConversations.ts';
import { PincerError } from '../../base/errors.ts';
import type { FromChatPage, ToChatPage } from '../../gateway/chatPage/chatViewMessages.ts';
import { createTerminalChat } from './createTerminalChat.ts';

it('reads of many conversations that a page asks for at once the one it reads already and the last', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  const page = openPage(test);
  for (let at = 0; at < 40; at += 1) {
    page.send({ type: 'openSession', id: first });
    page.send({ type: 'openSession', id: second });
  }
  await expect.poll(page.shown).toBe(second);
  expect(page.read.length).toBeLessThanOrEqual(2);
  page.close();
});

it('shows what the page showed before it was loaded again, by its first word alone', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  const page = openPage(test);
  page.send({ type: 'ready', sessionId: first });
  page.send({ type: 'ready', sessionId: second });
  await expect.poll(page.shown).toBe(first);
  // What is asked for comes after what was asked for before.
  page.send({ type: 'openSession', id: first });
  await expect.poll(() => page.read.length).toBe(2);
  expect(page.read).toEqual([first, first]);
  page.close();
});

it('names the message whose turn fails once another conversation is shown', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  let fail = (_error: PincerError): void => undefined;
  const page = openPage(test, () => new Promise((_resolve, reject) => (fail = reject)));
  page.send({ type: 'openSession', id: first });
  await expect.poll(page.shown).toBe(first);
  page.send({ type: 'send', text: 'three', attached: [], as: 'followUp' });
  page.send({ type: 'openSession', id: second });
  await expect.poll(page.shown).toBe(second);
  fail(new PincerError('model_offline', 'Nobody answers.'));
  await expect.poll(page.told).toMatch(/The message “three” of another conversation failed.*Nobody answers/u);
  page.close();
});

it('stops a message that was left before its turn has begun, where its conversation is shown again', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  let signal: AbortSignal | undefined;
  const page = openPage(test, (request) => {
    ({ signal } = request);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new PincerError('cancelled', 'Cancelled.')));
    });
  });
  page.send({ type: 'openSession', id: first });
  await expect.poll(page.shown).toBe(first);
  page.send({ type: 'send', text: 'three', attached: [], as: 'followUp' });
  page.send({ type: 'openSession', id: second });
  await expect.poll(page.shown).toBe(second);
  expect(page.isRunning()).toBe(false);
  page.send({ type: 'openSession', id: first });
  await expect.poll(page.shown).toBe(first);
  expect(page.isRunning()).toBe(true);
  page.send({ type: 'stop' });
  expect(signal?.aborted).toBe(true);
  await expect.poll(page.isRunning).toBe(false);
  page.close();
});

it('gives words back to the input that could not be left for the turn that runs', async () => {
  await using test = await openTestRuntime();
  const { first } = await twoConversations(test);
  const runs = { session: test.session, startedAt: 0, cancel: () => undefined };
  const page = openPage(test, test.runtime.turns.start, () => runs);
  page.send({ type: 'openSession', id: first });
  await expect.poll(page.shown).toBe(first);
  page.send({ type: 'send', text: `long${'.'.repeat(40_000)}`, attached: [], as: 'steer' });
  await expect.poll(page.told).toContain('{"type":"refused","text":"long');
  page.close();
});

/** A page, with the transcripts that are read for it. */
function openPage(
  { runtime }: TestRuntime,
  start = runtime.turns.start,
  running = runtime.conversations.running,
) {
  const read: string[] = [];
  const all: ToChatPage[] = [];
  let shown = '';
  let isRunning = false;
  let listener = (_message: unknown): void => undefined;
  const { conversations } = runtime;
  const counted = {
    ...conversations,
    running,
    readWhole(id: string) {
      read.push(id);
      return conversations.readWhole(id);
    },
  };
  const chat = createTerminalChat(
    { ...runtime, conversations: counted, turns: { ...runtime.turns, start } },
    {
      post(message) {
        const told = message as ToChatPage;
        all.push(told);
        setImmediate(() => listener({ type: 'drawn' }));
        if ('frame' in told) ({ sessionId: shown, isRunning } = told.frame);
      },
      listen: (heard) => (listener = heard),
    },
  );
  return {
    read,
    shown: () => shown,
    isRunning: () => isRunning,
    told: () => JSON.stringify(all),
    send: (message: FromChatPage) => listener(message),
    close: () => chat.dispose(),
  };
}
