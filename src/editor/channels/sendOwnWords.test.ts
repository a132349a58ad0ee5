import { expect, it } from 'vitest';
import { sendOwnWords } from './sendOwnWords.ts';

it('words that could not be sent are asked for again as they were typed, and silence the agent only once they are out', async () => {
  const did: string[] = [];
  const asked: (readonly [string, string | undefined])[] = [];
  let isOnline = false;
  const channels = {
    send: (_id: string, text: string) => {
      did.push(`send ${text}`);
      return isOnline ? Promise.resolve() : Promise.reject(new Error('offline'));
    },
    takeOver: () => Promise.resolve(void did.push('takeOver')),
    markRead: () => Promise.resolve(void did.push('markRead')),
  };
  const answers = ['Hi', 'Hi there'];
  const conversation = { id: 'a', isTakenOver: false };
  const sent = await sendOwnWords(channels, conversation, (typed, problem) => {
    asked.push([typed, problem]);
    if (problem !== undefined) isOnline = true;
    return Promise.resolve(answers.shift());
  });
  expect(sent).toBe(true);
  expect(asked).toEqual([
    ['', undefined],
    ['Hi', 'offline'],
  ]);
  expect(did).toEqual(['send Hi', 'send Hi there', 'takeOver', 'markRead']);
  isOnline = false;
  expect(await sendOwnWords(channels, conversation, () => Promise.resolve(undefined))).toBe(false);
  expect(did).toHaveLength(4);
});
