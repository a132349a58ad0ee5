import { expect, it } from 'vitest';
import { createActingModel, works } from './actingModel.ts';
import { golden, transcriptOf, wordsOf } from './describe.ts';
import { openConversation, talk } from './openConversation.ts';

/** A plugin that wants each answer revised, with these retries. */
const nag = (retry: object) => ({
  config: { plugins: { entries: { nag: { hooks: { allowConversationAccess: true } } } } },
  global: {
    nag: `module.exports = (api) => api.on('before_agent_finalize', () =>
      ({ action: 'revise', reason: 'Not good enough.', retry: ${JSON.stringify(retry)} }));`,
  },
});
const twice = { instruction: 'Be kinder.', idempotencyKey: 'kind', maxAttempts: 2 };

it('an answer is revised as often as the plugin may ask, and only the last one is shown and stored', async () => {
  await using world = await openConversation(nag(twice));
  const model = createActingModel([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
  const { events, outcome } = await talk(world, 'hi', model);
  expect(outcome).toEqual({ status: 'completed', text: 'Three.' });
  expect(golden(events)).toEqual(['model: Three.', 'ended: completed']);
  expect(await transcriptOf(world.session)).toEqual([
    'turn started',
    'user: hi',
    'model: Three.',
    'turn completed',
  ]);
  expect(wordsOf(model.asked[1]?.messages.at(-1))).toBe('Not good enough.\n\nBe kinder.');
  expect(model.asked[2]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
});

it('a follow-up begins once the answer before it stands, and has no retries left of that budget', async () => {
  await using world = await openConversation({
    ...nag(twice),
    work: () => world.runtime.conversations.inbox.add(world.session.id, 'followUp', 'and now?'),
  });
  const answers = ['One.', 'Two.', 'Three.', 'Now.'].map((text) => ({ text }));
  const { events } = await talk(world, 'hi', createActingModel([works('a'), ...answers]));
  expect(golden(events)).toEqual([
    'model: [a]',
    'start a',
    'end a',
    'model: Three.',
    'follow-up: and now?',
    'model: Now.',
    'ended: completed',
  ]);
});
