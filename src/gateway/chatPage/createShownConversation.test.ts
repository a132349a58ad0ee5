import { expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test/builders/openTestRuntime.ts';
import { twoConversations } from '../../../test/builders/twoConversations.ts';
import type { ChatItem } from './chatViewMessages.ts';
import { createShownConversation, type TurnSurface } from './createShownConversation.ts';

it('shows no other conversation while it goes back to an earlier message', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  const { conversation, surfaces, said } = openConversation(test);
  await conversation.openSession(first);
  let goBack = (): void => undefined;
  const gone = surfaces.at(-1)?.whileGoingBack(() => new Promise<void>((resolve) => (goBack = resolve)));
  expect(await conversation.openSession(second)).toBe(false);
  expect(conversation.session()?.id).toBe(first);
  expect(said).toEqual(['A turn is running here.']);
  goBack();
  await gone;
  expect(await conversation.openSession(second)).toBe(true);
  conversation.dispose();
});

it('hears of a turn that was left nothing but that it failed, and stops it where its conversation is shown again', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  const { conversation, surfaces, stopped } = openConversation(test);
  await conversation.openSession(first);
  const left = surfaces.length - 1;
  await conversation.openSession(second);
  const shown = conversation.items.all();
  surfaces[left]?.items.put({ kind: 'answer', id: 'late', markdown: 'Late.', files: [] });
  expect(conversation.items.all()).toEqual(shown);
  surfaces[left]?.failedElsewhere('three', 'Nobody answers.');
  expect(conversation.items.all().at(-1)).toMatchObject({
    icon: 'error',
    markdown: 'three — Nobody answers\\.',
  });
  conversation.stop();
  expect(stopped).not.toContain(left);
  await conversation.openSession(first);
  conversation.stop();
  expect(stopped).toContain(left);
  conversation.dispose();
});

it('is settled on what it shows as long as no other conversation is being opened', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  const { conversation } = openConversation(test, { isBusy: false });
  await conversation.openSession(first);
  expect(conversation.isSettledOn(first)).toBe(true);
  const opened = conversation.openSession(second);
  // It waits for what was there before.
  await conversation.restored;
  expect(conversation.isSettledOn(first)).toBe(false);
  await opened;
  expect(conversation.isSettledOn(second)).toBe(true);
  conversation.dispose();
});

it('reads a conversation again whose turn of another surface ended while it was read, and no other one for that', async () => {
  await using test = await openTestRuntime();
  const { first, second } = await twoConversations(test);
  const { conversations } = test.runtime;
  const read: string[] = [];
  let runs: string | undefined = first;
  const watched = {
    ...conversations,
    running: (id: string) => (id === runs ? {} : undefined),
    async readWhole(id: string) {
      read.push(id);
      const entries = await conversations.readWhole(id);
      if (read.length === 1) runs = undefined;
      return entries;
    },
  };
  const { conversation } = openConversation(test, { isBusy: false, conversations: watched });
  await conversation.openSession(first);
  await expect.poll(() => read).toEqual([first, first]);
  runs = first;
  await conversation.openSession(first);
  await conversation.openSession(second);
  await conversation.openSession(first);
  expect(read).toEqual([first, first, first, second, first]);
  conversation.dispose();
});

/** A conversation without a page. Its turns run until they are stopped, unless it says otherwise. */
function openConversation(
  { runtime }: TestRuntime,
  {
    isBusy = true,
    conversations = runtime.conversations,
  }: {
    readonly isBusy?: boolean;
    readonly conversations?: Parameters<typeof createShownConversation>[0]['conversations'];
  } = {},
) {
  const surfaces: TurnSurface[] = [];
  const stopped: number[] = [];
  const said: string[] = [];
  const { approvals } = runtime;
  const conversation = createShownConversation({
    ...{ conversations, approvals, tell: () => undefined, isOpen: () => false },
    shown: (item: ChatItem) => item,
    frame: () => ({ title: '', model: '', speech: undefined }),
    turns(surface) {
      const at = surfaces.push(surface) - 1;
      return { isBusy: () => isBusy && !stopped.includes(at), stop: () => void stopped.push(at) };
    },
    questions: () => ({
      refresh: () => undefined,
      elsewhere: () => [],
      forgetShown: () => undefined,
      noteShown: () => undefined,
      answer: () => Promise.resolve(),
      dispose: () => undefined,
    }),
    first: undefined,
    async find(id) {
      const found = await conversations.sessions.open(id);
      if (found === undefined) throw new Error(`no session ${id}`);
      return found;
    },
    begin: () => conversations.create(),
    onOpened: () => undefined,
    say: (text) => void said.push(text),
    sayElsewhere: () => undefined,
    failed(why) {
      throw why;
    },
    inBackground: (work) => void work,
    texts: {
      turnRuns: 'A turn is running here.',
      showsLater: 'Later.',
      failedElsewhere: (message, why) => `${message} — ${why}`,
    },
  });
  return { conversation, surfaces, stopped, said };
}
