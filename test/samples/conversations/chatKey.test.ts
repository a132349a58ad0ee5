import { expect, it } from 'vitest';
import { chatIdFor } from '../../../src/sessions/sessionKey.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { createActingModel } from './actingModel.ts';
import { wordsOf } from './describe.ts';
import { openConversation, talk } from './openConversation.ts';

/** Counts the messages of each chat by its key, in a variable of its own and in what Pincer keeps of the session. */
const counter = `module.exports = (api) => {
  const counts = new Map();
  api.registerSessionExtension({ namespace: 'count', description: 'Messages.' });
  api.on('session_end', ({ sessionKey, nextSessionKey }) => void mark(String(sessionKey === nextSessionKey)));
  api.on('before_prompt_build', async (event, { sessionKey }) => {
    const count = (counts.get(sessionKey) ?? 0) + 1;
    counts.set(sessionKey, count);
    await api.session.state.patchSessionExtension({ sessionKey, namespace: 'count', value: count });
    return { prependContext: 'Message ' + count + ' of this chat.' };
  });
};`;

const answer = () => createActingModel([{ text: 'Yes.' }]);
/** What `/new` does. */
const startOver = async ({ runtime }: TestRuntime, from: Session): Promise<Session> => {
  const next = runtime.conversations.create(from.agentId, chatIdFor(from.agentId, from.key));
  await runtime.conversations.reset(from, 'new', next);
  return next;
};

it('a chat keeps its key over /new, so that plugins go on with what they know of it', async () => {
  await using world = await openConversation({ global: { counter } });
  await talk(world, 'one', answer());
  const next = await startOver(world, world.session);
  const model = answer();
  await talk(world, 'two', model, { session: next });
  expect(next.id).not.toBe(world.session.id);
  expect(next.key).toBe(world.session.key);
  expect(model.asked[0]?.messages.map(wordsOf)).toEqual(['Message 2 of this chat.two']);
  expect(world.marks).toEqual(['true']);
});

it('what is kept of a chat goes with its newest session, not with an older one', async () => {
  await using world = await openConversation({ global: { counter } });
  const { conversations, plugins } = world.runtime;
  await talk(world, 'one', answer());
  const next = await startOver(world, world.session);
  await talk(world, 'two', answer(), { session: next });
  await conversations.remove(world.session.id);
  expect(await plugins.sessionExtensions(next.key)).toEqual({ counter: { count: 2 } });
  await conversations.remove(next.id);
  expect(await plugins.sessionExtensions(next.key)).toEqual({});
});

it('another agent, and another chat, has another key', async () => {
  await using world = await openConversation({ config: { agents: { writer: { name: 'Writer' } } } });
  const { conversations } = world.runtime;
  const { key } = world.session;
  expect(chatIdFor('writer', key)).toBeUndefined();
  expect(conversations.create('writer').key).toMatch(/^agent:writer:/u);
  expect(conversations.create().key).not.toBe(key);
});
