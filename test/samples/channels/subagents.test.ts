import { expect, it } from 'vitest';
import { addModel, spawns } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from './channelWorld.ts';

it('subagent_delivery_target hears from which conversation an agent was started, and names another one that there is', async () => {
  await using world = await openChannelWorld({
    global: {
      ear: `module.exports = (api) => api.on('subagent_delivery_target', (event) => {
        mark(JSON.stringify(event.requesterOrigin));
        return { origin: { channel: 'post', to: 'post:7' } };
      });`,
    },
    isRecorded: false,
    config: {
      ...channelConfig(),
      plugins: { entries: { ear: { hooks: { allowConversationAccess: true } } } },
    },
  });
  await world.pair('42', 'owner');
  await world.pair('7', 'owner');
  addModel(world, 'post', [{ text: 'Hello.' }, { text: 'Hello.' }]);
  await world.post.receive({ id: '1', text: 'Hello.', from: '7' });
  await world.post.receive({ id: '2', text: 'Where is the bug?', from: '42' });
  const conversations = await world.runtime.channels.conversations();
  const sessionOf = (from: string): string =>
    conversations.find(({ id }) => id.endsWith(`:${from}`))?.sessionId ?? '';
  const session = await world.runtime.conversations.sessions.open(sessionOf('42'));
  if (session === undefined) throw new Error('no session');
  await world.say('Look for it.', [spawns('Look.'), { text: 'Line 3.' }, { text: 'It is line 3.' }], {
    session,
  });
  expect(world.marks.map((mark) => JSON.parse(mark) as unknown)).toEqual([
    { channel: 'post', accountId: 'default', to: 'post:42' },
  ]);
  const waiting = world.runtime.conversations.inbox.list(sessionOf('7'));
  expect(waiting.map(({ text }) => text).join()).toContain('Line 3.');
});
