import { expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test/builders/openTestRuntime.ts';
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

async function twoConversations(
  test: TestRuntime,
): Promise<{ readonly first: string; readonly second: string }> {
  const other = test.runtime.conversations.create();
  await test.say('one', [{ text: 'One.' }]);
  await test.say('two', [{ text: 'Two.' }], { session: other });
  return { first: test.session.id, second: other.id };
}

/** A page, with the transcripts that are read for it. */
function openPage({ runtime }: TestRuntime) {
  const read: string[] = [];
  let shown = '';
  let listener = (_message: unknown): void => undefined;
  const { conversations } = runtime;
  const counted = {
    ...conversations,
    readWhole(id: string) {
      read.push(id);
      return conversations.readWhole(id);
    },
  };
  const chat = createTerminalChat(
    { ...runtime, conversations: counted },
    {
      post(message) {
        const told = message as ToChatPage;
        if (told.type === 'show') shown = told.frame.sessionId;
      },
      listen: (heard) => (listener = heard),
    },
  );
  return {
    read,
    shown: () => shown,
    send: (message: FromChatPage) => listener(message),
    close: () => chat.dispose(),
  };
}
