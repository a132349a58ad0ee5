import { expect, it } from 'vitest';
import { addModel, calls } from '../agents/agentWorld.ts';
import { channelConfig, openChannelWorld } from './channelWorld.ts';
import { until } from '../../builders/until.ts';

const leads = { plugins: { entries: { ear: { hooks: { allowConversationAccess: true } } } } };
const ear = (code: string): { readonly ear: string } => ({ ear: `module.exports = (api) => { ${code} };` });
const marksOf = (marks: readonly string[]): readonly unknown[] =>
  marks.map((mark) => JSON.parse(mark) as unknown);

it('a message passes the hooks in their order, each with its channel, account, conversation and sender', async () => {
  const note = (hook: string, what: string): string =>
    `api.on('${hook}', (event, ctx) => { mark(JSON.stringify(['${hook}', ${what}])); });`;
  await using world = await openChannelWorld({
    config: { ...channelConfig(), ...leads },
    global: ear(
      [
        note(
          'inbound_claim',
          'event.content, event.channel, event.senderId, event.isGroup, ctx.channelId, ctx.accountId, ctx.conversationId, ctx.messageId',
        ),
        note(
          'message_received',
          'event.from, event.content, event.messageId, ctx.channelId, ctx.accountId, ctx.sessionKey',
        ),
        note('before_dispatch', 'event.content, event.sessionKey, ctx.channelId, ctx.senderId'),
        note('before_agent_run', 'event.channelId, event.senderId, event.senderIsOwner, event.accountId'),
        note('reply_dispatch', 'event.ctx.ReplyText, event.sessionKey, typeof ctx.dispatcher.sendFinalReply'),
        note('message_sending', 'event.to, event.content, event.replyToId, ctx.channelId, ctx.senderId'),
        note('message_sent', 'event.to, event.content, event.success, ctx.conversationId'),
        note('agent_end', 'ctx.messageProvider, ctx.channelId'),
      ]
        .join('\n')
        .replace("mark(JSON.stringify(['before_agent_run'", "mark(JSON.stringify(['before_agent_run'")
        .replace(
          'event.senderIsOwner, event.accountId])); })',
          "event.senderIsOwner, event.accountId])); return { outcome: 'pass' }; })",
        ),
    ),
  });
  await world.pair('42');
  addModel(world, 'post', [{ text: 'Hi Ann.' }]);
  world.marks.length = 0;
  await world.post.receive({ id: 'm1', text: 'Hello.' });
  await until(() => expect(world.marks).toHaveLength(8));
  const key = 'agent:main:post:direct:42';
  const marks = marksOf(world.marks);
  expect(marks.filter((mark) => Array.isArray(mark) && mark[0] !== 'agent_end')).toEqual([
    ['inbound_claim', 'Hello.', 'post', '42', false, 'post', 'default', '42', 'm1'],
    ['message_received', '42', 'Hello.', 'm1', 'post', 'default', key],
    ['before_dispatch', 'Hello.', key, 'post', '42'],
    ['before_agent_run', 'post', '42', false, 'default'],
    ['reply_dispatch', 'Hi Ann.', key, 'function'],
    ['message_sending', 'post:42', 'Hi Ann.', 'm1', 'post', '42'],
    ['message_sent', 'post:42', 'Hi Ann.', true, '42'],
  ]);
  expect(marks).toContainEqual(['agent_end', 'post', '42']);
});

it('inbound_claim takes a message from everybody else, and its reply goes back', async () => {
  await using world = await openChannelWorld({
    global: ear(
      `api.on('inbound_claim', ({ content }) => content === 'ping' ? { handled: true, reply: { text: 'pong' } } : undefined);`,
    ),
  });
  await world.post.receive({ id: '1', text: 'ping' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['pong']);
  expect(await world.runtime.channels.pairings()).toEqual([]);
});

it('before_dispatch answers in place of the agent', async () => {
  await using world = await openChannelWorld({
    global: ear(`api.on('before_dispatch', () => ({ handled: true, text: 'Office hours are over.' }));`),
  });
  await world.pair('42');
  await world.post.receive({ id: '1', text: 'Hello.' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['Office hours are over.']);
});

it('reply_dispatch takes the delivery over: what it sends is all that goes out', async () => {
  await using world = await openChannelWorld({
    global: ear(
      `api.on('reply_dispatch', (event, ctx) => { ctx.dispatcher.sendFinalReply({ text: 'Loud: ' + event.ctx.ReplyText.toUpperCase() }); return { handled: true, queuedFinal: true }; });`,
    ),
  });
  await world.pair('42');
  addModel(world, 'post', [{ text: 'Hi Ann.' }]);
  await world.post.receive({ id: '1', text: 'Hello.' });
  await until(() => expect(world.post.delivered.map(({ text }) => text)).toEqual(['Loud: HI ANN.']));
});

it('message_sending rewrites what goes out and what is kept; a cancelled answer goes nowhere', async () => {
  await using world = await openChannelWorld({
    global: ear(`
      api.on('message_sending', ({ content }) => content.includes('secret') ? { cancel: true, cancelReason: 'no secrets' } : { content: content + ' Bye.' });
      api.on('message_sent', ({ content, success, error }) => mark(JSON.stringify([success, error ?? null])));`),
  });
  await world.pair('42');
  addModel(world, 'post', [{ text: 'Hi.' }, { text: 'The secret is 7.' }]);
  await world.post.receive({ id: '1', text: 'Hello.' });
  await world.post.receive({ id: '2', text: 'Tell me.' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['Hi. Bye.']);
  await until(() => expect(world.marks).toHaveLength(2));
  expect(marksOf(world.marks)).toEqual([
    [true, null],
    [false, expect.stringContaining('ear') as string],
  ]);
});

it('channel_pairing_requested tells plugins of a new sender, once for each request', async () => {
  await using world = await openChannelWorld({
    global: ear(
      `api.on('channel_pairing_requested', (event, ctx) => mark(JSON.stringify([event.channel, event.senderId, event.code, event.metadata, ctx.channelId, ctx.accountId])));`,
    ),
  });
  await world.post.receive({ id: '1', text: 'Hello?' });
  await world.post.receive({ id: '2', text: 'Hello?' });
  const [request] = await world.runtime.channels.pairings();
  await until(() => expect(world.marks).toHaveLength(1));
  expect(marksOf(world.marks)).toEqual([['post', '42', request?.code, { name: 'Ann' }, 'post', 'default']]);
});

it('words before a tool call are not sent, only the answer is', async () => {
  await using world = await openChannelWorld({ files: { 'log.md': 'day one\n' } });
  await world.pair('42');
  addModel(world, 'post', [calls('read', { path: 'log.md' }, 'Let me look.'), { text: 'Day one.' }]);
  await world.post.receive({ id: '1', text: 'What day is it?' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['Day one.']);
});
