import { expect, it } from 'vitest';
import { openGateway } from '../../builders/openGateway.ts';
import { openGatewayClient, payloadOf } from '../../builders/openGatewayClient.ts';

/** As third parties write them. */
const notes = `module.exports = (api) => {
  const list = [];
  api.registerGatewayMethod('notes.add', async ({ params, respond, client, context }) => {
    if (typeof params.text !== 'string') return respond(false, undefined, { code: 'INVALID_REQUEST', message: 'text is required' });
    list.push(params.text);
    context.broadcast('plugin.notes.added', { count: list.length });
    respond(true, { count: list.length, by: client.connect.client.id });
    respond(true, 'twice');
  }, { scope: 'operator.write' });
  api.registerGatewayMethod('notes.list', ({ respond }) => { setImmediate(() => respond(true, list)); }, { scope: 'operator.read' });
  api.registerGatewayMethod('notes.clear', ({ respond }) => { list.length = 0; respond(true); });
  api.registerGatewayMethod('notes.fail', () => { throw new Error('the disk is full of secrets'); }, { scope: 'operator.read' });
  api.registerGatewayMethod('notes.loop', ({ respond }) => { const a = {}; a.a = a; respond(true, a); }, { scope: 'operator.read' });
  api.registerGatewayMethod('config.notes', ({ respond }) => respond(true), { scope: 'operator.read' });
  api.registerGatewayMethod('chat.send', ({ respond }) => respond(true));
};`;

it("answers clients with a plugin's own methods, by the scope that it asks for", async () => {
  await using gateway = await openGateway({ global: { notes } });
  using writer = await openGatewayClient(gateway.port, { scopes: ['operator.write'] });
  using reader = await openGatewayClient(gateway.port, { scopes: ['operator.read'] });
  using admin = await openGatewayClient(gateway.port, { scopes: ['operator.admin'] });
  expect(payloadOf(writer.hello)).toMatchObject({
    features: { methods: expect.arrayContaining(['notes.add', 'notes.list']) as unknown },
  });
  expect(payloadOf(await writer.ask('notes.add', { text: 'a' }))).toEqual({ count: 1, by: 'test' });
  expect(await writer.ask('notes.add', {})).toMatchObject({
    ok: false,
    error: { message: 'text is required' },
  });
  expect((await reader.ask('notes.list')).payload).toEqual(['a']);
  expect((await writer.hear('plugin.notes.added')).payload).toEqual({ count: 1 });
  expect(reader.events.some(({ event }) => event.startsWith('plugin.'))).toBe(false);
  expect((await reader.ask('notes.add', { text: 'b' })).error?.message).toBe('missing scope: operator.write');
  // Who says nothing, and what is administration, wants the most.
  expect((await writer.ask('notes.clear')).error?.message).toBe('missing scope: operator.admin');
  expect((await reader.ask('config.notes')).error?.message).toBe('missing scope: operator.admin');
  expect(await admin.ask('notes.clear')).toMatchObject({ ok: true });
});

it('says what a plugin does wrong, and gives its caller an answer', async () => {
  await using gateway = await openGateway({ global: { notes } });
  using reader = await openGatewayClient(gateway.port, { scopes: ['operator.read'] });
  const failed = await reader.ask('notes.fail');
  expect(failed).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  expect(JSON.stringify(failed)).not.toContain('secrets');
  expect(await reader.ask('notes.loop')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  const found = gateway.runtime.workspace.diagnostics().map(({ code, message }) => `${code}: ${message}`);
  expect(found.join('\n')).toContain('plugin_method_failed: gateway method "notes.fail" from notes failed');
  expect(found.join('\n')).toContain(
    'plugin_gateway_scope: gateway method "config.notes" needs operator.admin',
  );
  expect(found.join('\n')).toContain('gateway method already registered: chat.send');
});

it('has no method of a plugin that is gone', async () => {
  await using gateway = await openGateway({ global: { notes } });
  using reader = await openGatewayClient(gateway.port, { scopes: ['operator.read'] });
  expect((await reader.ask('notes.list')).ok).toBe(true);
  await gateway.runtime.plugins.setEnabled('notes', false);
  expect((await reader.ask('notes.list')).error?.message).toBe('unknown method: notes.list');
});

it('tells every client the same, whole, however long it is', async () => {
  const long = `module.exports = (api) => api.registerGatewayMethod('long.tell', ({ params, respond, context }) => {
    for (const length of params.lengths) context.broadcast('plugin.long', { text: 'é'.repeat(length) });
    respond(true);
  }, { scope: 'operator.write' });`;
  await using gateway = await openGateway({ global: { long } });
  using first = await openGatewayClient(gateway.port, { scopes: ['operator.write'] });
  using second = await openGatewayClient(gateway.port, { scopes: ['operator.write'] });
  const lengths = [1, 60, 125, 126, 40_000];
  await first.ask('long.tell', { lengths });
  for (const client of [first, second]) {
    await client.hear('plugin.long', ({ text }) => (text as string).length === 40_000);
    const told = client.events.filter(({ event }) => event === 'plugin.long');
    expect(told.map(({ payload }) => (payload['text'] as string).length)).toEqual(lengths);
    const [one = 0, ...others] = told.map(({ seq }) => seq);
    expect(others).toEqual([1, 2, 3, 4].map((more) => one + more));
  }
});
