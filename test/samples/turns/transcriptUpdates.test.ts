import { expect, it } from 'vitest';
import type { SessionTranscriptUpdate } from '../../../src/sdk/types.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const watcher = `module.exports = (api) => {
  api.runtime.events.onSessionTranscriptUpdate(() => { throw new Error('a bad listener'); });
  api.runtime.events.onSessionTranscriptUpdate((update) => {
    mark(JSON.stringify(update));
    if (update.message) update.message.role = 'changed by a listener';
  });
  const stop = api.runtime.events.onSessionTranscriptUpdate(({ messageSeq }) => {
    mark('once ' + messageSeq);
    stop();
  });
};`;

const script = [{ toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] }, { text: 'Twelve.' }];
const mayListen = { plugins: { entries: { watcher: { hooks: { allowConversationAccess: true } } } } };

async function openWorld(config: object = mayListen) {
  const world = await openTestRuntime({
    files: { 'a.md': 'Twelve words.\n' },
    plugins: { watcher },
    isRecorded: false,
    config,
  });
  const updates = (): readonly SessionTranscriptUpdate[] =>
    world.marks
      .filter((mark) => mark.startsWith('{'))
      .map((mark) => JSON.parse(mark) as SessionTranscriptUpdate);
  return { world, updates };
}

it('a plugin hears of each message that is stored, as it was stored and with its place', async () => {
  const { world, updates } = await openWorld();
  await using _ = world;
  await world.say('count', script);
  const { id: sessionId, key: sessionKey, agentId } = world.session;
  const entries = world.session.entries();
  const turn = entries.find((entry) => entry.type === 'turn');
  const stored = entries.flatMap((entry) => (entry.type === 'message' ? [entry] : []));
  expect(stored.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'toolResult', 'assistant']);
  const session = { target: { agentId, sessionId, sessionKey }, sessionKey, agentId, sessionId };
  expect(updates()).toEqual(
    stored.map(({ id: messageId, message }, index) => ({
      ...session,
      ...{ message, messageId, messageSeq: index + 1 },
      ...(index === 3 ? { runId: turn?.runId } : {}),
    })),
  );
});

it('messages that are on their way to the disk together keep their places', async () => {
  const { world, updates } = await openWorld();
  await using _ = world;
  await world.say('count', script);
  const said = (text: string) =>
    world.session.add({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 }).saved;
  await Promise.all([said('one'), said('two')]);
  expect(updates().map(({ messageSeq }) => messageSeq)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('a plugin hears of a compaction without a message', async () => {
  const { world, updates } = await openWorld();
  await using _ = world;
  await world.say('count', script);
  await world.session.compact({
    ...{ summary: 'Twelve words.', firstKeptId: null, by: 'user', compactedCount: 4 },
    ...{ model: { provider: 'replay', model: 'one' }, tokensBefore: 9, tokensAfter: 3, timestamp: 1 },
  });
  const { id: sessionId, key: sessionKey, agentId } = world.session;
  expect(updates().slice(4)).toEqual([
    { target: { agentId, sessionId, sessionKey }, sessionKey, agentId, sessionId },
  ]);
});

it('a listener can stop, and one that throws is told once and harms nothing', async () => {
  const { world, updates } = await openWorld();
  await using _ = world;
  await world.say('count', script);
  expect(world.marks.filter((mark) => mark.startsWith('once'))).toEqual(['once 1']);
  expect(updates()).toHaveLength(4);
  const told = world.runtime.workspace
    .diagnostics()
    .filter(({ code }) => code === 'plugin_event_listener_failed');
  expect(told).toMatchObject([
    { pluginId: 'watcher', message: 'a listener of transcript updates failed: a bad listener' },
  ]);
});

it('a plugin that is disabled hears no more', async () => {
  const { world, updates } = await openWorld();
  await using _ = world;
  await world.say('count', script);
  await world.runtime.plugins.setEnabled('watcher', false);
  await world.say('again', [{ text: 'Yes.' }]);
  expect(updates()).toHaveLength(4);
});

it('a plugin that may not read conversations hears of none, and the user is told', async () => {
  const { world } = await openWorld({});
  await using _ = world;
  await world.say('count', script);
  expect(world.marks).toEqual([]);
  expect(world.runtime.workspace.diagnostics()).toContainEqual(
    expect.objectContaining({ code: 'plugin_conversation_denied', pluginId: 'watcher' }),
  );
});
