import { expect, it } from 'vitest';
import { chatIdFor, chatIdForTenant } from '../../../src/sessions/sessionKey.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { createActingModel } from './actingModel.ts';
import { wordsOf } from './describe.ts';
import { until } from '../../builders/until.ts';
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
  // Nobody waits for the handlers of an ended session.
  await until(() => expect(world.marks).toEqual(['true']));
});

it('what Pincer keeps for plugins is that of a session: the next one begins without it, and keeps its own', async () => {
  await using world = await openConversation({ global: { counter } });
  const { conversations, plugins } = world.runtime;
  await talk(world, 'one', answer());
  const next = await startOver(world, world.session);
  expect(await plugins.sessionExtensions(next.key)).toEqual({});
  await talk(world, 'two', answer(), { session: next });
  expect(await conversations.pluginState.list(world.session.id)).toEqual({});
  await conversations.remove(world.session.id);
  expect(await plugins.sessionExtensions(next.key)).toEqual({ counter: { count: 2 } });
  await conversations.remove(next.id);
  expect(await conversations.pluginState.list(next.id)).toEqual({});
});

it('a text for the next session that a plugin queues as the old one ends reaches it', async () => {
  const handOver = `module.exports = (api) => api.on('session_end', ({ nextSessionKey: sessionKey }) =>
    api.session.workflow.enqueueNextTurnInjection({ sessionKey, text: 'The anchor is red.' }));`;
  await using world = await openConversation({ global: { handOver } });
  await talk(world, 'one', answer());
  const next = await startOver(world, world.session);
  const model = answer();
  await talk(world, 'two', model, { session: next });
  expect(model.asked[0]?.messages.map(wordsOf).join()).toContain('The anchor is red.');
});

it('a reset of a session that was opened again takes nothing from the one in its place', async () => {
  await using world = await openConversation({ global: { counter } });
  const { conversations } = world.runtime;
  await talk(world, 'one', answer());
  const next = await startOver(world, world.session);
  await talk(world, 'two', answer(), { session: next });
  await talk(world, 'three', answer(), { session: world.session });
  await conversations.reset(world.session);
  expect(await conversations.pluginState.list(next.id)).not.toEqual({});
});

it('tenants of one workspace on the command line have chats of their own', () => {
  const hash = '0123456789abcdef';
  expect(chatIdForTenant(hash, undefined)).toBe(hash);
  expect(chatIdForTenant(hash, 'acme')).not.toBe(chatIdForTenant(hash, 'globex'));
  expect(chatIdForTenant(hash, 'acme')).toMatch(/^[0-9a-f]{16}$/u);
});

it('another agent, and another chat, has another key', async () => {
  await using world = await openConversation({ config: { agents: { writer: { name: 'Writer' } } } });
  const { conversations } = world.runtime;
  const { key } = world.session;
  expect(chatIdFor('writer', key)).toBeUndefined();
  expect(conversations.create('writer').key).toMatch(/^agent:writer:/u);
  expect(conversations.create().key).not.toBe(key);
});
