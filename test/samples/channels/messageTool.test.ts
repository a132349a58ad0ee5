import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../src/contracts/approval.ts';
import { addModel, calls, resultsOf, textIn } from '../agents/agentWorld.ts';
import type { TestTurn } from '../../builders/openTestRuntime.ts';
import { channelConfig, openChannelWorld, type ChannelWorld } from './channelWorld.ts';
import { until } from '../../builders/until.ts';

const send = (more: object = {}): object =>
  calls('message', {
    action: 'send',
    channel: 'post',
    target: 'post:7',
    message: 'The build is red.',
    ...more,
  });
const done = { text: 'Done.' };
const answerOf = (turn: TestTurn): string => textIn(resultsOf(turn, 'message')[0]);
const askedIn = ({ events }: TestTurn): readonly ApprovalRequest[] =>
  events.flatMap((event) => (event.type === 'approval_requested' ? [event.request] : []));
const open = (more: Parameters<typeof openChannelWorld>[0] = {}): Promise<ChannelWorld> =>
  openChannelWorld({ isRecorded: false, answer: 'allow-once', ...more });

it('message sends a text once a person who saw channel, account, target and the whole text has said yes', async () => {
  await using world = await open();
  const turn = await world.say('Tell Bob.', [send(), done]);
  const [request] = askedIn(turn);
  expect(request).toMatchObject({
    title: 'Send by post to post:7',
    description: 'by the account default: The build is red.',
    toolName: 'message',
  });
  expect(world.post.delivered).toEqual([{ to: 'post:7', text: 'The build is red.', by: 'sendText' }]);
  expect(answerOf(turn)).toBe('Sent by post, account default, to post:7.');
});

it('a thread is part of where message sends: it is asked about, and an "always" for its target leaves it out', async () => {
  await using world = await open({ answer: 'allow-always' });
  const turn = await world.say('Tell Bob.', [send(), send(), send({ threadId: '99' }), done]);
  expect(askedIn(turn).map(({ title }) => title)).toEqual([
    'Send by post to post:7',
    'Send by post to post:7, thread 99',
  ]);
  expect(world.post.delivered.map(({ thread }) => thread)).toEqual([undefined, undefined, '99']);
});

it('message sends nothing where the person says no', async () => {
  await using world = await open({ answer: 'deny' });
  const turn = await world.say('Tell Bob.', [send(), done]);
  expect(resultsOf(turn, 'message')[0]?.isError).toBe(true);
  expect(world.post.delivered).toEqual([]);
});

it('message is not offered where no channel runs', async () => {
  await using world = await open({ config: { ...channelConfig(), channels: {} } });
  const names: string[] = [];
  await world.say('Tell Bob.', [done], {
    seen: ({ tools }) => names.push(...tools.map(({ name }) => name)),
  });
  expect(names).toContain('read');
  expect(names).not.toContain('message');
});

it("a remote sender's turn can not call message, in no mode", async () => {
  await using world = await open({ config: { ...channelConfig(), approvals: { mode: 'full' } } });
  await world.pair('42');
  addModel(world, 'post', [send(), { text: 'I may not.', expect: { toolResult: 'may change something' } }]);
  await world.post.receive({ id: '1', text: 'Write to 7!' });
  expect(world.post.delivered).toEqual([{ to: 'post:42', text: 'I may not.', by: 'deliver' }]);
});

it('an owner away from the machine is asked before message sends, even in mode full', async () => {
  await using world = await openChannelWorld({
    config: { ...channelConfig(), approvals: { mode: 'full' } },
  });
  await world.pair('42', 'owner');
  addModel(world, 'post', [send(), done]);
  const turn = world.post.receive({ id: '1', text: 'Tell 7.' });
  await until(() => expect(world.post.delivered).toHaveLength(1));
  const [question] = world.post.delivered;
  expect(question?.text).toContain('The build is red.');
  const id = /\/approve (?<id>\S+) once/u.exec(question?.text ?? '')?.groups?.['id'] ?? '';
  await world.post.receive({ id: '2', text: `/approve ${id} once` });
  await turn;
  expect(world.post.delivered.filter(({ to }) => to === 'post:7')).toHaveLength(1);
});

it('what message_sending makes of it is what is asked about and what goes out; message_sent tells what came of it', async () => {
  await using world = await open({
    global: {
      ear: `module.exports = (api) => {
        api.on('message_sending', ({ to, content, metadata }) => { mark(JSON.stringify([to, metadata])); return { content: content.replace('red', 'green') }; });
        api.on('message_sent', ({ content, success }, ctx) => mark(JSON.stringify([content, success, ctx.channelId, ctx.accountId])));
      };`,
    },
  });
  const turn = await world.say('Tell Bob.', [send(), done]);
  expect(askedIn(turn)[0]?.description).toContain('The build is green.');
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['The build is green.']);
  expect(answerOf(turn)).toContain('went out as:\nThe build is green.');
  await until(() =>
    expect(world.marks.map((mark) => JSON.parse(mark) as unknown)).toEqual(
      expect.arrayContaining([
        ['post:7', { channel: 'post' }],
        ['The build is green.', true, 'post', 'default'],
      ]),
    ),
  );
});

it('a plugin that cancels message_sending ends message before anybody is asked', async () => {
  await using world = await open({
    global: {
      ear: `module.exports = (api) => api.on('message_sending', ({ to }) => to === 'post:7' ? { cancel: true, cancelReason: 'not after eight' } : undefined);`,
    },
  });
  const turn = await world.say('Tell Bob.', [send(), done]);
  expect(askedIn(turn)).toEqual([]);
  expect(answerOf(turn)).toContain('plugin ear withholds it: not after eight');
  expect(world.post.delivered).toEqual([]);
});

it('message takes keys out of the text, before it is shown', async () => {
  await using world = await open();
  const key = `sk-${'abcDEF0123456789'.repeat(3)}`;
  const turn = await world.say('Tell Bob.', [
    send({ message: `The key is ${key} or letter-box-key.` }),
    done,
  ]);
  expect(askedIn(turn)[0]?.description).not.toContain(key);
  expect(world.post.delivered).toHaveLength(1);
  expect(world.post.delivered[0]?.text).not.toContain(key);
});

it('message sends a file of the workspace as a copy, in a folder of its own that goes afterwards', async () => {
  await using world = await open({ files: { 'out/plan.txt': 'step one\n' } });
  const turn = await world.say('Send it.', [send({ media: 'out/plan.txt' }), done]);
  expect(askedIn(turn)[0]?.title).toBe('Send by post to post:7, with the file out/plan.txt');
  expect(askedIn(turn)[0]?.decisions).not.toContain('allow-always');
  expect(world.post.delivered).toEqual([
    {
      to: 'post:7',
      by: 'sendMedia',
      text: 'The build is red.',
      media: expect.stringMatching(/channels\/media\/out-[\w-]+\/plan\.txt$/u) as string,
      held: 'step one\n',
    },
  ]);
  expect(await readdir(join(world.workspace, '../state/channels/media'))).toEqual([]);
});

it('message sends no file that is too large, lies outside, or that a link leads to', async () => {
  await using world = await open({ files: { 'plan.txt': 'step one\n' } });
  await writeFile(join(world.workspace, '../secret.txt'), 'mine\n');
  await symlink(join(world.workspace, '../secret.txt'), join(world.workspace, 'link.txt'));
  await writeFile(join(world.workspace, 'large.bin'), Buffer.alloc(20_000_001));
  for (const [media, why] of [
    ['large.bin', '20000000 may be sent at most'],
    ['../secret.txt', 'outside'],
    ['link.txt', 'leads out of'],
    ['https://example.com/a.png', ''],
  ] as const) {
    const turn = await world.say('Send it.', [send({ media }), done]);
    const [result] = resultsOf(turn, 'message');
    expect(result?.isError).toBe(true);
    expect(textIn(result)).toContain(why);
    expect(askedIn(turn)).toEqual([]);
  }
  expect(world.post.delivered).toEqual([]);
});

it('message without a target is refused, an unknown channel too, and dryRun sends nothing', async () => {
  await using world = await open();
  const one = await world.say('a', [calls('message', { action: 'send', message: 'Hi.' }), done]);
  expect(answerOf(one)).toContain('does not say to whom');
  const two = await world.say('b', [send({ channel: 'pigeon' }), done]);
  expect(answerOf(two)).toContain('of pigeon does not run here');
  const three = await world.say('c', [send({ dryRun: true }), done]);
  expect(answerOf(three)).toContain('Would be sent by post, account default, to post:7');
  expect(world.post.delivered).toEqual([]);
});

it('what message says in a conversation stands in its session, so that an answer to it is understood', async () => {
  await using world = await open();
  await world.pair('7');
  addModel(world, 'post', [{ text: 'Hello Bob.' }, { text: 'I will look.', expect: { userText: 'Why?' } }]);
  await world.post.receive({ id: '1', text: 'Hello.', from: '7' });
  await world.say('Tell Bob.', [send(), done]);
  await world.post.receive({ id: '2', text: 'Why?', from: '7' });
  const [conversation] = await world.runtime.channels.conversations();
  const session = await world.runtime.conversations.sessions.open(conversation?.sessionId ?? '');
  const file = await readFile(session?.file ?? '', 'utf8');
  expect(file).toContain('The build is red.');
  expect(file.indexOf('The build is red.')).toBeLessThan(file.indexOf('I will look.'));
});
