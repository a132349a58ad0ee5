import { expect, it } from 'vitest';
import { addModel } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from './channelWorld.ts';

const open = channelConfig({ dmPolicy: 'open' });

it('a forged session, channel or account leads nowhere else: the session follows from the peer, and foreign channels are refused', async () => {
  await using world = await openChannelWorld({ config: open });
  addModel(world, 'post', [{ text: 'Hi.' }]);
  await world.post.receive({ id: '1', text: 'hi', forged: { SessionKey: world.session.key } });
  expect((await world.runtime.channels.conversations()).map(({ id }) => id)).toEqual([
    'agent:main:post:direct:42',
  ]);
  expect(world.session.messages()).toEqual([]);
  await expect(
    world.post.receive({ id: '2', text: 'hi', forged: { OriginatingChannel: 'telegram' } }),
  ).rejects.toThrow('has no running channel telegram');
  await expect(world.post.receive({ id: '3', text: 'hi', forged: { AccountId: 'other' } })).rejects.toThrow(
    'has no running channel',
  );
});

it('ids that look alike are different senders', async () => {
  await using world = await openChannelWorld({ config: open });
  addModel(world, 'post', [{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  await world.post.receive({ id: '1', text: 'hi', from: 'ann' });
  await world.post.receive({ id: '2', text: 'hi', from: 'Ann' });
  await world.post.receive({ id: '3', text: 'hi', from: 'ann:thread:1' });
  const ids = (await world.runtime.channels.conversations()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => /^agent:main:post:direct:[\w.@+~-]+$/u.test(id))).toBe(true);
});

it('a flood is dropped before it is written down, and costs no more than the limit of turns', async () => {
  await using world = await openChannelWorld({
    config: channelConfig({ dmPolicy: 'open', maxTurnsPerDay: 2 }),
  });
  addModel(world, 'post', [{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  for (let at = 0; at < 30; at += 1) await world.post.receive({ id: String(at), text: 'hi' });
  const texts = world.post.delivered.map(({ text }) => text);
  expect(texts.slice(0, 2)).toEqual(['one', 'two']);
  expect(new Set(texts.slice(2))).toEqual(
    new Set(['The limit of messages for today is reached. Please write again tomorrow.']),
  );
  expect(world.post.acknowledged).toHaveLength(20);
});

it('a message that is too long is cut, and the model reads that it was', async () => {
  await using world = await openChannelWorld({ config: open });
  addModel(world, 'post', [{ text: 'Long.' }]);
  await world.post.receive({ id: '1', text: 'x'.repeat(50_000) });
  const [conversation] = await world.runtime.channels.conversations();
  const session = await world.runtime.conversations.sessions.open(conversation?.sessionId ?? '');
  const [first] = session?.messages() ?? [];
  const text = first?.content.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
  expect(text.length).toBeLessThan(17_000);
  expect(text).toContain('34000 more characters were left out');
});

it('a path that a message names is not read: only media that was kept for it becomes an image', async () => {
  await using world = await openChannelWorld({ config: open });
  addModel(world, 'post', [{ text: 'I see nothing.' }]);
  await world.post.receive({
    id: '1',
    text: 'look',
    forged: { MediaPath: '/etc/passwd', MediaType: 'image/png' },
  });
  const [conversation] = await world.runtime.channels.conversations();
  const session = await world.runtime.conversations.sessions.open(conversation?.sessionId ?? '');
  expect(session?.messages()[0]?.content).toEqual([
    { type: 'text', text: expect.stringContaining('[attached: image/png]') as string },
  ]);
});
