import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSerialQueue } from '../../../src/base/createSerialQueue.ts';
import { createTerminalPages } from '../../../src/cli/gatewayPage/createTerminalPages.ts';
import { createTerminalQuestions } from '../../../src/cli/gatewayPage/createTerminalQuestions.ts';
import { createChatItems } from '../../../src/gateway/chatPage/chatItems.ts';
import type { ChatItem, FromChatPage, ToChatPage } from '../../../src/gateway/chatPage/chatViewMessages.ts';
import type { PairedBrowser } from '../../../src/gateway/pages.ts';
import { questionOf } from '../../builders/callContexts.ts';
import { gatewayWithModel } from '../../builders/gatewayWithModel.ts';
import { openGatewayClient, payloadOf, type GatewayClient } from '../../builders/openGatewayClient.ts';
import { createGate, hangingAnswer, textAnswer, toolCallAnswer } from '../../builders/scriptedModelServer.ts';

let gateway: Awaited<ReturnType<typeof gatewayWithModel>>;
let input: PassThrough;
let printed = '';

beforeEach(async () => {
  gateway = await gatewayWithModel({ files: { 'a.md': 'old\n' } });
  input = new PassThrough();
  const output = new PassThrough();
  printed = '';
  output.on('data', (data: Buffer) => (printed += data.toString('utf8')));
  const { runtime } = gateway;
  const pages = createTerminalPages({
    ...{ runtime, terminal: { input, output }, inTurn: createSerialQueue() },
    dist: '/nowhere',
  });
  runtime.gateway.servePages(pages);
  await runtime.gateway.sync();
});
afterEach(() => gateway[Symbol.asyncDispose]());

/** A page of the gateway itself, as a browser opens it. */
async function openPage(auth: object = { pairing: true }): Promise<GatewayClient> {
  const scopes = ['operator.read', 'operator.write', 'operator.approvals'];
  return await openGatewayClient(gateway.port, { headers: { origin: gateway.url }, auth, scopes });
}

/** Answers the terminal once it asks, and gives the page. */
async function letIn(answer: string): Promise<GatewayClient> {
  const opened = openPage();
  await expect.poll(() => printed).toContain('(y/N)');
  input.write(`${answer}\n`);
  return await opened;
}

const post = async (page: GatewayClient, message: FromChatPage): Promise<void> => {
  expect(await page.ask('page.post', { message })).toMatchObject({ ok: true });
};
const told = (page: GatewayClient): readonly ToChatPage[] =>
  page.events.flatMap(({ event, payload }) => (event === 'page' ? [payload['message'] as ToChatPage] : []));
/** The items as they stand on the page, which draws at once. */
const itemsOf = (page: GatewayClient): readonly ChatItem[] => {
  const items = new Map<string, ChatItem>();
  for (const message of told(page)) {
    if (message.type === 'show') items.clear();
    if (message.type === 'show' || message.type === 'change')
      for (const item of message.items) items.set(item.id, item);
  }
  return [...items.values()];
};
/** Draws whatever comes, as the page does. */
function draw(page: GatewayClient): void {
  page.socket.on('message', (data: Buffer) => {
    if (/"type":"(?:show|change)"/u.test(data.toString('utf8')))
      page.socket.send(
        JSON.stringify({
          type: 'req',
          id: 'drawn',
          method: 'page.post',
          params: { message: { type: 'drawn' } },
        }),
      );
  });
}
const send = (text: string, attached: readonly string[] = []): FromChatPage => ({
  ...{ type: 'send', text, attached, as: 'followUp' },
});

it('lets a browser in by the code that the terminal prints, and turns it away at anything but a yes', async () => {
  using page = await letIn('y');
  const [code] = page.events.filter(({ event }) => event === 'pairing.code');
  expect(printed).toContain(`shows the code ${String(code?.payload['code'])}`);
  expect(page.hello).toMatchObject({ ok: true });
  printed = '';
  using denied = await letIn('');
  expect(denied.hello).toMatchObject({ ok: false });
});

it('lets a browser in where a program with the token says its code, and nobody by another code', async () => {
  const opened = openPage();
  await expect.poll(() => printed).toMatch(/code \d{6}/u);
  const code = /code (\d{6})/u.exec(printed)?.[1] ?? '';
  const answer = (body: object, token?: string): Promise<{ readonly status: number }> =>
    gateway.ask('/page/pair', { body, ...(token === undefined ? {} : { token }) });
  expect((await answer({ code: '-', allow: true })).status).toBe(404);
  expect((await answer({ code, allow: true }, 'another')).status).toBe(401);
  expect((await answer({ code, allow: true })).status).toBe(200);
  using page = await opened;
  expect(page.hello).toMatchObject({ ok: true });
  expect((await answer({ code, allow: true })).status).toBe(404);
});

it('lists who was let in to a program with the token, which can take the access away', async () => {
  using page = await letIn('y');
  const listed = async (): Promise<readonly PairedBrowser[]> =>
    ((await gateway.ask('/page/browsers')).json() as { readonly browsers: readonly PairedBrowser[] })
      .browsers;
  const [browser, ...others] = await listed();
  expect(others).toEqual([]);
  expect(browser).toMatchObject({ isConnected: true });
  expect((await gateway.ask('/page/browsers', { token: 'another' })).status).toBe(401);
  expect((await gateway.ask('/page/revoke', { body: { id: -1 } })).status).toBe(404);
  expect(await listed()).toHaveLength(1);
  const closed = once(page.socket, 'close');
  expect((await gateway.ask('/page/revoke', { body: { id: browser?.id } })).status).toBe(200);
  await closed;
  expect(await listed()).toEqual([]);
});

it('shows a turn and its question, which counts once the page has shown all of it, and only once', async () => {
  const writes = toolCallAnswer([{ name: 'write', arguments: { path: 'a.md', content: 'new\n' } }]);
  gateway.server.script(writes, textAnswer('It is **done**.'));
  using page = await letIn('yes');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  await post(page, { type: 'upload', name: 'tide.txt', base64: Buffer.from('high tide').toString('base64') });
  const attached = await page.hear('page', ({ message }) => (message as ToChatPage).type === 'attached');
  const uri = (attached.payload['message'] as { readonly attached: readonly { uri: string }[] }).attached[0]
    ?.uri;
  await post(page, send('Write it', [uri ?? '', 'file:///etc/passwd']));
  const question = (): Extract<ChatItem, { kind: 'question' }> | undefined =>
    itemsOf(page).find((item) => item.kind === 'question');
  await expect.poll(() => question()?.choices.map(({ does }) => does)).toEqual(['once', 'deny']);
  const id = question()?.id ?? '';
  const answer = { type: 'answer', id, why: '', isByKey: false } as const;
  // Not seen yet, and never for longer.
  await post(page, { ...answer, answer: 'once' });
  await expect.poll(() => question()?.notice).toContain('Not allowed yet');
  await post(page, { type: 'shown', id });
  await expect.poll(() => question()?.notice).toBeUndefined();
  await post(page, { ...answer, answer: 'always' });
  expect(gateway.runtime.approvals.pending()).toHaveLength(1);
  await post(page, { ...answer, answer: 'once' });
  await expect
    .poll(() => itemsOf(page).flatMap((item) => (item.kind === 'answer' ? [item.markdown] : [])))
    .toEqual(['It is **done**.']);
  expect(question()).toMatchObject({ choices: [], status: 'Allowed' });
  expect(itemsOf(page)).toContainEqual(expect.objectContaining({ kind: 'step', state: 'done' }));
  expect(await readFile(join(gateway.workspace, 'a.md'), 'utf8')).toBe('new\n');
  const [record] = gateway.runtime.approvals.history();
  expect(record?.by).toBe('gateway');
  const asked = JSON.stringify(gateway.server.requests[0]?.body?.messages);
  expect(asked).toContain('high tide');
  expect(asked).not.toContain('root:');
});

it('begins a page that comes later with the question that waits, which can be answered there', async () => {
  const writes = toolCallAnswer([{ name: 'write', arguments: { path: 'a.md', content: 'new\n' } }]);
  gateway.server.script(writes, textAnswer('Written.'));
  using program = await openGatewayClient(gateway.port, {
    scopes: ['operator.read', 'operator.write', 'operator.approvals'],
  });
  await program.ask('agent', { message: 'Of others' });
  await expect.poll(() => gateway.runtime.approvals.pending()).toHaveLength(1);
  using page = await letIn('y');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  const question = (): Extract<ChatItem, { kind: 'question' }> | undefined =>
    itemsOf(page).find((item) => item.kind === 'question');
  await expect.poll(() => question()?.choices.map(({ does }) => does)).toEqual(['once', 'deny']);
  expect(itemsOf(page)).toContainEqual(expect.objectContaining({ kind: 'user', text: 'Of others' }));
  const id = question()?.id ?? '';
  const frames = told(page).flatMap((message) => ('frame' in message ? [message.frame] : []));
  expect(frames.at(-1)?.times).toEqual([{ id, ms: expect.any(Number) as number, isRunning: true }]);
  await post(page, { type: 'shown', id });
  await post(page, { type: 'answer', id, answer: 'once', why: '', isByKey: false });
  await expect.poll(() => readFile(join(gateway.workspace, 'a.md'), 'utf8')).toBe('new\n');
});

it('begins with the chat whose started agent asks, past a question whose session does not open', async () => {
  const spawns = toolCallAnswer([{ name: 'sessions_spawn', arguments: { task: 'Write it down.' } }]);
  const writes = toolCallAnswer([{ name: 'write', arguments: { path: 'a.md', content: 'new\n' } }]);
  gateway.server.script(spawns, writes, textAnswer('Written.'), textAnswer('Done.'));
  const { approvals, conversations } = gateway.runtime;
  using program = await openGatewayClient(gateway.port, {
    scopes: ['operator.read', 'operator.write', 'operator.approvals'],
  });
  const asks = [{ asker: 'host', title: 'Of others', description: 'here', severity: 'info' }] as const;
  void approvals.request(
    ...questionOf({ sessionId: 'not-here', params: {}, asks, edits: [], grantScope: undefined }),
  );
  await expect.poll(() => approvals.pending()).toHaveLength(1);
  await program.ask('agent', { message: 'Start one' });
  await expect.poll(() => approvals.pending()).toHaveLength(2);
  using page = await letIn('y');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  await expect
    .poll(() => itemsOf(page).flatMap((item) => (item.kind === 'question' ? [item.id] : [])))
    .toEqual([approvals.pending()[1]?.id]);
  expect(itemsOf(page)).toContainEqual(expect.objectContaining({ kind: 'user', text: 'Start one' }));
  const chat = conversations.runningTurns().find(({ session }) => session.header.kind === 'chat');
  await post(page, send('For the chat'));
  await expect
    .poll(() => conversations.inbox.list(chat?.session.id ?? ''))
    .toMatchObject([{ text: 'For the chat' }]);
});

it('begins a page that is loaded again with the conversation that it showed', async () => {
  gateway.server.script(textAnswer('Calm.'), textAnswer('Rain.'));
  const frameOf = (page: GatewayClient) =>
    told(page)
      .flatMap((message) => ('frame' in message ? [message.frame] : []))
      .at(-1);
  const hasEnded = () => expect.poll(() => gateway.runtime.conversations.runningTurns()).toEqual([]);
  using before = await letIn('y');
  await before.ask('page.open');
  draw(before);
  await post(before, { type: 'ready' });
  await post(before, send('How is the sea?'));
  await expect.poll(() => itemsOf(before)).toContainEqual(expect.objectContaining({ markdown: 'Calm.' }));
  await hasEnded();
  const sessionId = frameOf(before)?.sessionId ?? '';
  using again = await letIn('y');
  await again.ask('page.open');
  draw(again);
  await post(again, { type: 'ready', sessionId });
  await expect.poll(() => itemsOf(again)).toContainEqual(expect.objectContaining({ markdown: 'Calm.' }));
  expect(frameOf(again)?.sessionId).toBe(sessionId);
  using gone = await letIn('y');
  await gone.ask('page.open');
  draw(gone);
  await post(gone, { type: 'ready', sessionId: 'no-longer-there' });
  await expect.poll(() => frameOf(gone)?.sessionId).toBe('');
  expect(itemsOf(gone)).toEqual([]);
});

it('stays with its conversation where a message comes while another one is read', async () => {
  const gate = createGate();
  const { conversations } = gateway.runtime;
  gateway.server.script(textAnswer('Of old.'));
  using program = await openGatewayClient(gateway.port);
  await program.ask('agent', { message: 'Of others' });
  await expect.poll(() => conversations.runningTurns()).toEqual([]);
  const [other] = await conversations.summaries();
  gateway.server.answerAll(() => ({
    steps: [{ text: 'Here' }, { wait: gate.opened }, { finish: 'stop' }, { mark: true }],
  }));
  using page = await letIn('y');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  void post(page, { type: 'openSession', id: other?.id ?? '' });
  await post(page, send('Of the page'));
  await expect
    .poll(() => itemsOf(page))
    .toContainEqual(expect.objectContaining({ markdown: 'A turn is running here\\. Stop it first\\.' }));
  await expect.poll(() => itemsOf(page)).toContainEqual(expect.objectContaining({ markdown: 'Here' }));
  expect(itemsOf(page)).toContainEqual(expect.objectContaining({ text: 'Of the page' }));
  gate.open();
  await expect.poll(() => conversations.runningTurns()).toEqual([]);
});

it('leaves its own turn to itself as it shows another conversation, and shows what that left', async () => {
  const gate = createGate();
  const { conversations } = gateway.runtime;
  gateway.server.script(textAnswer('Of old.'));
  using program = await openGatewayClient(gateway.port);
  await program.ask('agent', { message: 'Of others' });
  await expect.poll(() => conversations.runningTurns()).toEqual([]);
  const [other] = await conversations.summaries();
  gateway.server.answerAll(() => ({
    steps: [
      { text: 'The sea ' },
      { wait: gate.opened },
      { text: 'is calm.' },
      { finish: 'stop' },
      { mark: true },
    ],
  }));
  using page = await letIn('y');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  const frame = () =>
    told(page)
      .flatMap((message) => ('frame' in message ? [message.frame] : []))
      .at(-1);
  /** What stands there since another conversation was shown last. */
  const shown = (): readonly ChatItem[] => {
    const all = told(page);
    const since = all.slice(
      Math.max(
        0,
        all.findLastIndex(({ type }) => type === 'show'),
      ),
    );
    return since.flatMap((message) => ('items' in message ? message.items : []));
  };
  void post(page, send('How is the sea?'));
  await expect.poll(shown).toContainEqual(expect.objectContaining({ markdown: 'The sea ' }));
  const own = frame()?.sessionId ?? '';
  await post(page, { type: 'openSession', id: other?.id ?? '' });
  await expect.poll(() => frame()).toMatchObject({ sessionId: other?.id, isRunning: false, progress: '' });
  expect(conversations.runningTurns()).toHaveLength(1);
  await post(page, { type: 'openSession', id: own });
  await expect.poll(() => frame()).toMatchObject({ sessionId: own, isRunning: true });
  gate.open();
  await expect.poll(shown).toContainEqual(expect.objectContaining({ markdown: 'The sea is calm.' }));
  expect(shown().filter(({ kind }) => kind === 'user')).toHaveLength(1);
  expect(shown().filter(({ kind }) => kind === 'note')).toEqual([]);

  // A new conversation takes nothing of one that still runs: neither its turn nor its place.
  const inNew = createGate();
  gateway.server.answerAll(() => ({
    steps: [{ wait: inNew.opened }, { text: 'Salty.' }, { finish: 'stop' }, { mark: true }],
  }));
  await expect.poll(() => frame()?.isRunning).toBe(false);
  void post(page, send('How does it taste?'));
  await expect.poll(() => conversations.runningTurns()).toHaveLength(1);
  await post(page, { type: 'new' });
  await expect.poll(() => frame()).toMatchObject({ isRunning: false, progress: '' });
  expect(frame()?.sessionId).not.toBe(own);
  expect(shown()).toEqual([]);
  expect(conversations.runningTurns()).toHaveLength(1);
  inNew.open();
  await expect.poll(() => conversations.runningTurns()).toEqual([]);
  await post(page, { type: 'openSession', id: own });
  await expect.poll(shown).toContainEqual(expect.objectContaining({ markdown: 'Salty.' }));

  // What a turn says that was left stands in its own conversation alone.
  const again = createGate();
  gateway.server.answerAll(() => ({
    steps: [{ wait: again.opened }, { text: 'And the wind?' }, { finish: 'stop' }, { mark: true }],
  }));
  await expect.poll(() => frame()?.isRunning).toBe(false);
  void post(page, send('And now?'));
  await expect.poll(() => conversations.runningTurns()).toHaveLength(1);
  await post(page, { type: 'openSession', id: other?.id ?? '' });
  await expect.poll(() => frame()?.sessionId).toBe(other?.id);
  again.open();
  await expect.poll(() => conversations.runningTurns()).toEqual([]);
  expect(shown()).not.toContainEqual(expect.objectContaining({ markdown: 'And the wind?' }));
});

it('says that a question waits in another conversation, and leads there', async () => {
  const writes = toolCallAnswer([{ name: 'write', arguments: { path: 'a.md', content: 'new\n' } }]);
  gateway.server.script(textAnswer('Hello.'), writes, textAnswer('Then not.'));
  using program = await openGatewayClient(gateway.port, {
    scopes: ['operator.read', 'operator.write', 'operator.approvals'],
  });
  using page = await letIn('y');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  await post(page, send('Of the page'));
  await expect.poll(() => itemsOf(page)).toContainEqual(expect.objectContaining({ markdown: 'Hello.' }));
  await expect.poll(() => gateway.runtime.conversations.runningTurns()).toEqual([]);
  const asksElsewhere = (): boolean | undefined =>
    told(page)
      .flatMap((message) => ('frame' in message ? [message.frame.asksElsewhere] : []))
      .at(-1);
  const questions = (): readonly ChatItem[] => itemsOf(page).filter(({ kind }) => kind === 'question');
  expect(asksElsewhere()).toBe(false);
  await program.ask('agent', { message: 'Of others' });
  await expect.poll(asksElsewhere).toBe(true);
  expect(questions()).toEqual([]);
  await post(page, { type: 'asking' });
  await expect.poll(questions).toHaveLength(1);
  expect(itemsOf(page)).toContainEqual(expect.objectContaining({ kind: 'user', text: 'Of others' }));
  await expect.poll(asksElsewhere).toBe(false);
  const id = questions()[0]?.id ?? '';
  await post(page, { type: 'answer', id, answer: 'deny', why: '', isByKey: false });
  await expect.poll(() => gateway.runtime.conversations.runningTurns()).toEqual([]);

  const asks = [{ asker: 'host', title: 'Of nobody', description: 'here', severity: 'info' }] as const;
  void gateway.runtime.approvals.request(
    ...questionOf({ sessionId: 'not-here', params: {}, asks, edits: [], grantScope: undefined }),
  );
  await expect.poll(asksElsewhere).toBe(true);
  await post(page, { type: 'asking' });
  await expect
    .poll(() => itemsOf(page))
    .toContainEqual(
      expect.objectContaining({ markdown: 'That question can only be answered in the terminal\\.' }),
    );
});

it('shows the arguments of a call once, and has words answer the call of a job alone', async () => {
  using _approver = await openGatewayClient(gateway.port, { scopes: ['operator.approvals'] });
  const { approvals, conversations } = gateway.runtime;
  const { id: sessionId } = conversations.create();
  const params = { city: 'Oslo' };
  const description = `asks the server: ${JSON.stringify(params)}`;
  const asks = [{ asker: 'host', title: 'Call weather', description, severity: 'warning' }] as const;
  const [call, question] = questionOf({ sessionId, params, asks, edits: [], grantScope: undefined });
  const outcome = approvals.request(call, { ...question, unattended: 'review' });
  await expect.poll(() => approvals.pending()).toHaveLength(1);
  const items = createChatItems(() => undefined);
  const questions = createTerminalQuestions({
    ...{ runtime: gateway.runtime, items, sessionId: () => sessionId },
  });
  questions.refresh();
  const id = approvals.pending()[0]?.id ?? '';
  expect(items.get(id)).toMatchObject({
    description: 'asks the server',
    markdown: expect.stringContaining('"city": "Oslo"') as string,
  });
  await questions.answer({ type: 'answer', id, answer: 'deny', why: ' Ask Bergen ', isByKey: false });
  expect(await outcome).toMatchObject({ reason: 'Denied by user, who says: Ask Bergen', by: 'gateway' });
  expect(conversations.inbox.list(sessionId)).toEqual([]);
});

it('stops, goes on with a session, and chooses the model among those of the config', async () => {
  gateway.server.script(hangingAnswer('One'), textAnswer('Two'));
  using page = await letIn('y');
  await page.ask('page.open');
  draw(page);
  await post(page, { type: 'ready' });
  await post(page, { type: 'model' });
  const rows = (what: string): Promise<unknown> =>
    page
      .hear('page', ({ message }) => (message as { readonly what?: string }).what === what)
      .then(({ payload }) => (payload['message'] as { readonly rows: unknown }).rows);
  expect(await rows('useModel')).toContainEqual({
    id: 'loopback/scripted',
    title: 'Scripted (loopback/scripted)',
  });
  await post(page, { type: 'useModel', id: 'loopback/scripted' });
  void post(page, send('First words'));
  await expect.poll(() => itemsOf(page).some((item) => item.kind === 'answer')).toBe(true);
  await post(page, { type: 'stop' });
  await expect
    .poll(() => itemsOf(page).some((item) => item.kind === 'note' && item.markdown === 'Stopped.'))
    .toBe(true);
  await expect.poll(() => gateway.runtime.conversations.runningTurns()).toEqual([]);
  await post(page, { type: 'new' });
  await expect.poll(() => itemsOf(page)).toEqual([]);
  await post(page, { type: 'sessions' });
  const [session] = (await rows('openSession')) as readonly { readonly id: string; readonly at: number }[];
  expect(session).toMatchObject({ title: 'First words' });
  expect(Math.abs(Date.now() - (session?.at ?? 0))).toBeLessThan(60_000);
  await post(page, { type: 'openSession', id: session?.id ?? '' });
  await expect.poll(() => itemsOf(page)).toContainEqual(expect.objectContaining({ text: 'First words' }));
  expect(payloadOf(page.hello)).toBeDefined();
});

it('lets turns run on as their page goes away: one of its own, and one of others that it shows', async () => {
  const gate = createGate();
  gateway.server.answerAll(() => ({
    steps: [{ text: 'One' }, { wait: gate.opened }, { finish: 'stop' }, { mark: true }],
  }));
  const { conversations } = gateway.runtime;
  using program = await openGatewayClient(gateway.port);
  const others = payloadOf(await program.ask('agent', { message: 'Of others' }));
  await expect.poll(() => conversations.runningTurns().length).toBe(1);
  const saidOn = (page: GatewayClient): Promise<void> =>
    expect.poll(() => itemsOf(page)).toContainEqual(expect.objectContaining({ kind: 'user' }));
  for (const shows of [
    send('Of the page'),
    { type: 'openSession', id: conversations.runningTurns()[0]?.session.id ?? '' } as const,
  ]) {
    printed = '';
    using page = await letIn('y');
    await page.ask('page.open');
    draw(page);
    await post(page, { type: 'ready' });
    void post(page, shows);
    await saidOn(page);
    await expect.poll(() => conversations.runningTurns().length).toBe(2);
  }
  const own = await program.hear('chat', ({ runId }) => runId !== others['runId']);
  const presence = (): unknown =>
    program.events.findLast(({ event }) => event === 'presence')?.payload['presence'];
  await expect.poll(presence).toHaveLength(1);
  gate.open();
  for (const runId of [others['runId'], own.payload['runId']])
    expect(payloadOf(await program.ask('agent.wait', { runId }))).toMatchObject({ status: 'ok' });
});
