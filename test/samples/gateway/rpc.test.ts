import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usualLimits } from '../../../src/gateway/gatewayProtocol.ts';
import { gatewayWithModel } from '../../builders/gatewayWithModel.ts';
import { openGatewayClient, payloadOf, type GatewayClient } from '../../builders/openGatewayClient.ts';
import { createGate, hangingAnswer, textAnswer, toolCallAnswer } from '../../builders/scriptedModelServer.ts';

let gateway: Awaited<ReturnType<typeof gatewayWithModel>>;
let client: GatewayClient;

beforeEach(async () => {
  gateway = await gatewayWithModel({
    files: { 'a.md': 'old\n' },
    global: {
      notes: `module.exports = (api) => {
        api.registerSessionExtension({ namespace: 'pins', description: 'Pins' });
      };`,
    },
  });
  client = await openGatewayClient(gateway.port);
});

afterEach(async () => {
  client[Symbol.dispose]();
  await gateway[Symbol.asyncDispose]();
});

const writes = toolCallAnswer([{ name: 'write', arguments: { path: 'a.md', content: 'new\n' } }]);
const isFinal = (payload: Readonly<Record<string, unknown>>): boolean => payload['state'] === 'final';
/** The question that the client was told of. */
const question = async (): Promise<Readonly<Record<string, unknown>>> =>
  (await client.hear('approvals.requested')).payload;

it('answers agent twice: that it has begun, and how it ended', async () => {
  gateway.server.script(textAnswer('All ', 'is well.'));
  const accepted = await client.ask('agent', { message: 'How is it?', idempotencyKey: 'k' });
  const { runId } = payloadOf(accepted);
  expect(accepted.payload).toMatchObject({ status: 'accepted' });
  await client.hear('chat', isFinal);
  await expect.poll(() => client.answersTo('r2').length).toBe(2);
  expect(client.answersTo('r2')[1]).toMatchObject({
    ok: true,
    payload: { runId, status: 'ok', result: { payloads: [{ text: 'All is well.' }] } },
  });
  expect(payloadOf(await client.ask('agent.wait', { runId }))).toMatchObject({ runId, status: 'ok' });
  // The same request again is the same turn.
  expect(payloadOf(await client.ask('agent', { message: 'How is it?', idempotencyKey: 'k' }))).toMatchObject({
    runId,
  });
  expect(gateway.server.requests).toHaveLength(1);
});

it('queues what is sent while a turn of the session runs, which reads it before it ends', async () => {
  const gate = createGate();
  gateway.server.script(
    { steps: [{ text: 'First.' }, { wait: gate.opened }, { finish: 'stop' }, { mark: true }] },
    textAnswer('Second.'),
  );
  const main = { sessionKey: 'main' };
  const first = payloadOf(await client.ask('chat.send', { ...main, message: 'One' }));
  expect(first).toMatchObject({ status: 'started' });
  await client.hear('chat', ({ state }) => state === 'delta');
  const second = { ...main, message: 'Two', idempotencyKey: 'k' };
  const { runId } = first;
  expect(payloadOf(await client.ask('chat.send', second))).toMatchObject({ status: 'queued', runId });
  // The same request again is the same message.
  expect(payloadOf(await client.ask('chat.send', second))).toMatchObject({ status: 'queued', runId });
  const long = await client.ask('chat.send', { ...main, message: 'x'.repeat(40_000) });
  expect(long.error).toMatchObject({ code: 'INVALID_REQUEST' });
  gate.open();
  const final = await client.hear('chat', isFinal);
  expect(final.payload).toMatchObject({ runId, message: { content: [{ text: 'Second.' }] } });
  expect(gateway.server.requests).toHaveLength(2);
  const read = JSON.stringify(gateway.server.requests[1]?.body?.messages);
  expect(read.split('Two')).toHaveLength(2);
});

it('gives what came after the last look of a turn for messages a turn of its own', async () => {
  const [began, gate] = [createGate(), createGate()];
  const sending = async (): Promise<void> => {
    began.open();
    await gate.opened;
  };
  Object.assign(globalThis, { sending });
  const reads = `module.exports = (api) => api.on('message_sending', async () => void (await globalThis.sending()));`;
  await using held = await gatewayWithModel({ global: { reads } });
  using client = await openGatewayClient(held.port);
  held.server.script(textAnswer('First.'), textAnswer('Second.'));
  const main = { sessionKey: 'main' };
  const { runId } = payloadOf(await client.ask('chat.send', { ...main, message: 'One' }));
  // The answer is there, and a plugin looks at it.
  await began.opened;
  const second = await client.ask('chat.send', { ...main, message: 'Two' });
  expect(payloadOf(second)).toMatchObject({ status: 'queued', runId });
  gate.open();
  const final = await client.hear('chat', (payload) => isFinal(payload) && payload['runId'] !== runId);
  expect(final.payload).toMatchObject({ message: { content: [{ text: 'Second.' }] } });
  expect(JSON.stringify(held.server.requests[1]?.body?.messages).split('Two')).toHaveLength(2);
});

it('tells of a turn as it goes: words, calls, the end, each in the order of its number', async () => {
  gateway.server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'a.md' } }], { text: 'I look.' }),
    textAnswer('It says ', 'old.'),
  );
  const { runId, sessionKey } = payloadOf(
    await client.ask('chat.send', { sessionKey: 'main', message: 'Read a.md' }),
  );
  const final = await client.hear('chat', isFinal);
  expect(final.payload).toMatchObject({
    runId,
    sessionKey,
    message: { content: [{ text: 'It says old.' }] },
  });
  const mine = client.events.filter(({ payload }) => payload['runId'] === runId);
  const streams = mine.flatMap(({ event, payload }) =>
    event === 'agent'
      ? [[payload['stream'], (payload['data'] as { readonly phase: string }).phase].join(' ')]
      : [],
  );
  await client.hear('agent', ({ data }) => (data as { readonly phase: string }).phase === 'end');
  expect(streams.slice(0, 3)).toEqual(['lifecycle start', 'tool start', 'tool result']);
  const deltas = mine.filter(({ payload }) => payload['state'] === 'delta');
  expect(deltas[0]?.payload['deltaText']).toBe('I look.');
  const numbers = client.events.map(({ seq }) => seq);
  expect(numbers.slice(1)).toEqual(numbers.slice(1).map((_, at) => at + 1));
  const history = payloadOf(await client.ask('chat.history', { sessionKey: 'main' }));
  expect((history['messages'] as readonly { readonly role: string }[]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'toolResult',
    'assistant',
  ]);
  expect(payloadOf(await client.ask('sessions.list'))).toMatchObject({ sessions: [{ key: sessionKey }] });
});

it('stops a turn, which a client that waits hears of', async () => {
  gateway.server.script(hangingAnswer('I think'));
  const { runId, sessionKey } = payloadOf(
    await client.ask('chat.send', { sessionKey: 'main', message: 'Think' }),
  );
  await client.hear('chat', ({ state }) => state === 'delta');
  expect(payloadOf(await client.ask('agent.wait', { runId, timeoutMs: 0 }))).toMatchObject({
    status: 'timeout',
  });
  const waiting = client.ask('agent.wait', { runId });
  expect(payloadOf(await client.ask('chat.abort', { sessionKey, runId: 'another' }))).toMatchObject({
    aborted: false,
  });
  expect(payloadOf(await client.ask('chat.abort', { sessionKey }))).toEqual({
    ok: true,
    aborted: true,
    runIds: [runId],
  });
  expect(payloadOf(await waiting)).toMatchObject({ status: 'error', summary: 'aborted' });
  await client.hear('chat', ({ state }) => state === 'aborted');
});

it('asks at clients as in the editor: a yes from there is shown as theirs', async () => {
  gateway.server.script(writes, textAnswer('Done.'));
  await client.ask('chat.send', { sessionKey: 'main', message: 'Write' });
  const { id, call, isWhole, decisions } = await question();
  expect({ call, isWhole, decisions }).toEqual({
    call: expect.stringContaining('+new') as unknown,
    isWhole: true,
    decisions: ['allow-once', 'deny'],
  });
  expect(gateway.runtime.approvals.pending()).toHaveLength(1);
  expect(await client.ask('approvals.resolve', { id, decision: 'allow-always' })).toMatchObject({
    ok: false,
  });
  expect(await client.ask('approvals.resolve', { id, decision: 'allow-once' })).toMatchObject({ ok: true });
  const told = await client.hear('approvals.resolved');
  expect(told.payload).toMatchObject({ id, allowed: true, by: 'gateway' });
  await client.hear('chat', isFinal);
  expect(await readFile(join(gateway.workspace, 'a.md'), 'utf8')).toBe('new\n');
  expect(gateway.runtime.approvals.history()).toMatchObject([{ resolution: 'allow-once', by: 'gateway' }]);
  const [trace] = await gateway.runtime.turns.traces.list();
  const steps = JSON.stringify(await gateway.runtime.turns.traces.get(trace!.runId));
  expect(steps).toContain('"by":"gateway"');
});

it('counts the first answer, whoever gives it', async () => {
  gateway.server.script(writes, textAnswer('Then not.'));
  await client.ask('chat.send', { sessionKey: 'main', message: 'Write' });
  const { id } = await question();
  gateway.runtime.approvals.resolve(String(id), 'deny', 'view');
  expect(await client.ask('approvals.resolve', { id, decision: 'allow-once' })).toMatchObject({
    error: { details: { code: 'approval_already_resolved' } },
  });
  expect((await client.hear('approvals.resolved')).payload).toMatchObject({ id, allowed: false, by: 'view' });
});

it('allows from afar only what that client was shown whole', async () => {
  gateway.server.script(writes, textAnswer('Done.'));
  await client.ask('chat.send', { sessionKey: 'main', message: 'Write' });
  const { id } = await question();
  using late = await openGatewayClient(gateway.port);
  expect(await late.ask('approvals.resolve', { id, decision: 'allow-once' })).toMatchObject({
    error: { details: { code: 'approval_not_shown' } },
  });
  expect(payloadOf(await late.ask('approvals.list'))).toMatchObject({ approvals: [{ id, isWhole: true }] });
  expect(await late.ask('approvals.resolve', { id, decision: 'allow-once' })).toMatchObject({ ok: true });
  await client.hear('chat', isFinal);

  const content = `${'long line '.repeat(50)}\n`.repeat(250);
  const call = { name: 'write', arguments: { path: 'a.md', content } };
  gateway.server.script(toolCallAnswer([call], { fragmentLength: 50_000 }));
  await client.ask('chat.send', { sessionKey: 'main', message: 'Write much' });
  const { payload: long } = await client.hear('approvals.requested', (each) => each['id'] !== id);
  expect(long).toMatchObject({ isWhole: false, decisions: ['deny'] });
  const answer = async (decision: string): Promise<object> =>
    await client.ask('approvals.resolve', { id: long['id'], decision });
  expect(await answer('allow-once')).toMatchObject({ error: { details: { code: 'approval_not_shown' } } });
  expect(await answer('deny')).toMatchObject({ ok: true });
});

it('refuses what the scopes of a client do not cover, and tells it nothing of it', async () => {
  using reader = await openGatewayClient(gateway.port, { scopes: ['operator.read'] });
  using nobody = await openGatewayClient(gateway.port, { scopes: [] });
  const refusal = async (who: GatewayClient, method: string): Promise<unknown> =>
    (await who.ask(method)).error?.message;
  expect(await refusal(reader, 'chat.send')).toBe('missing scope: operator.write');
  expect(await refusal(reader, 'approvals.list')).toBe('missing scope: operator.approvals');
  expect(await refusal(reader, 'sessions.pluginPatch')).toBe('missing scope: operator.admin');
  expect(await refusal(nobody, 'sessions.list')).toBe('missing scope: operator.read');
  expect(await refusal(client, 'nothing')).toBe('unknown method: nothing');
  expect((await nobody.ask('health')).ok).toBe(true);
  gateway.server.script(writes, textAnswer('Done.'));
  await client.ask('chat.send', { sessionKey: 'main', message: 'Write' });
  const { id } = await question();
  await client.ask('approvals.resolve', { id, decision: 'deny' });
  await reader.hear('chat', isFinal);
  await nobody.ask('health');
  expect(reader.events.filter(({ event }) => event.startsWith('approvals'))).toEqual([]);
  expect(nobody.events.filter(({ event }) => ['chat', 'agent'].includes(event))).toEqual([]);
});

it('keeps what a client stores for a plugin, where that has such a place', async () => {
  gateway.server.script(textAnswer('Hello.'));
  const { sessionKey } = payloadOf(await client.ask('chat.send', { sessionKey: 'main', message: 'Hello' }));
  await client.hear('chat', isFinal);
  const patch = { key: sessionKey, pluginId: 'notes', namespace: 'pins', value: [1] };
  expect(payloadOf(await client.ask('sessions.pluginPatch', patch))).toMatchObject({ ok: true, value: [1] });
  expect(await client.ask('sessions.pluginPatch', { ...patch, namespace: 'other' })).toMatchObject({
    ok: false,
  });
  const { sessions } = payloadOf(await client.ask('sessions.list'));
  expect(sessions).toMatchObject([{ pluginExtensions: { notes: { pins: [1] } } }]);
});

it('calls an invalid request what the client got wrong, not a gateway that is unavailable', async () => {
  gateway.server.script(textAnswer('Hello.'), writes, textAnswer('Then not.'));
  const main = { sessionKey: 'main' };
  const { sessionKey } = payloadOf(await client.ask('chat.send', { ...main, message: 'Hello' }));
  await client.hear('chat', isFinal);
  await client.ask('chat.send', { ...main, message: 'Write' });
  const { id } = await question();
  using late = await openGatewayClient(gateway.port);
  const pins = { key: sessionKey, pluginId: 'notes', namespace: 'pins' };
  const long = 'x'.repeat(1_000_000);
  const unseen = await late.ask('approvals.resolve', { id, decision: 'allow-once' });
  await client.ask('approvals.resolve', { id, decision: 'deny' });
  await client.hear('approvals.resolved');
  const refused = [
    unseen,
    await client.ask('agent.wait', { runId: 'nobody' }),
    await client.ask('approvals.resolve', { id: 'nobody', decision: 'deny' }),
    await client.ask('approvals.resolve', { id, decision: 'deny' }),
    await client.ask('sessions.pluginPatch', { ...pins, namespace: 'other', value: 1 }),
    await client.ask('sessions.pluginPatch', { ...pins, value: long }),
  ];
  expect(refused.map(({ error }) => error)).toMatchObject(
    [
      'approval_not_shown',
      'run_unknown',
      'approval_unknown',
      'approval_already_resolved',
      'session_extension_unknown',
      'session_value_invalid',
    ].map((code) => ({ code: 'INVALID_REQUEST', details: { code } })),
  );
});

it('gives a client that counts as slow no deltas, and the end all the same', async () => {
  await using other = await gatewayWithModel({
    gatewayLimits: { clients: { ...usualLimits.clients, slowBytes: -1 } },
  });
  other.server.script(textAnswer('All ', 'is well.'));
  using slow = await openGatewayClient(other.port);
  await slow.ask('chat.send', { sessionKey: 'main', message: 'How is it?' });
  const final = await slow.hear('chat', isFinal);
  expect(final.payload).toMatchObject({ message: { content: [{ text: 'All is well.' }] } });
  expect(slow.events.filter(({ payload }) => payload['state'] === 'delta')).toEqual([]);
  // What it did not get leaves a gap in the numbers.
  expect(final.seq).toBeGreaterThan(slow.events.indexOf(final));
});
