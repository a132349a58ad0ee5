import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const watcher = `module.exports = (api) => {
  const say = (text) => mark(text);
  const stop = api.runtime.events.onAgentEvent((event) => {
    say([event.seq, event.stream, event.data.phase ?? event.data.text].join(' '));
    event.data.phase = 'changed by a listener';
    if (event.stream === 'assistant') stop();
  });
  api.agent.events.registerAgentEventSubscription({
    id: 'tools', streams: ['tool', 'watcher.seen'],
    handle(event, ctx) {
      const before = ctx.getRunContext('seen') ?? 0;
      ctx.setRunContext('seen', before + 1);
say('subscribed ' + (before + 1));
      say('heard ' + event.stream + ' ' + (event.data.name ?? event.data.of));
    },
  });
  api.on('after_tool_call', (event, ctx) => {
    const sent = api.emitAgentEvent({ runId: ctx.runId, stream: 'watcher.seen', data: { of: event.toolName } });
    say(JSON.stringify(sent));
  });
};`;

const script = [{ toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] }, { text: 'Twelve.' }];

it('a plugin hears the events of a turn in order, from others too, each a copy', async () => {
  await using world = await openTestRuntime({
    files: { 'a.md': 'Twelve words.\n' },
    plugins: { watcher },
    isRecorded: false,
    config: { plugins: { entries: { watcher: { hooks: { allowConversationAccess: true } } } } },
  });
  await world.say('count', script);
  await world.runtime.stop('shutdown');
  expect(world.marks.filter((mark) => /^[1-9]/u.test(mark))).toEqual([
    '1 lifecycle start',
    '2 tool start',
    '3 tool result',
    '4 assistant Twelve.',
  ]);
  expect(world.marks.filter((mark) => mark.startsWith('subscribed'))).toEqual([
    'subscribed 1',
    'subscribed 2',
    'subscribed 3',
  ]);
  // An observer of the call runs beside the turn.
  expect(world.marks.filter((mark) => mark.startsWith('heard')).toSorted()).toEqual([
    'heard tool read',
    'heard tool read',
    'heard watcher.seen read',
  ]);
  expect(world.marks).toContain('{"emitted":true,"stream":"watcher.seen"}');
});

it('a plugin that may not read conversations hears none, and the user is told', async () => {
  await using world = await openTestRuntime({
    files: { 'a.md': 'x' },
    plugins: { watcher },
    isRecorded: false,
  });
  await world.say('count', script);
  expect(world.marks.filter((mark) => !mark.startsWith('{'))).toEqual([]);
  expect(world.runtime.workspace.diagnostics()).toContainEqual(
    expect.objectContaining({ code: 'plugin_conversation_denied', pluginId: 'watcher' }),
  );
});

it('a system event is read in the next turn of its session, once', async () => {
  const notifier = `module.exports = (api) => api.on('before_tool_call', (event, ctx) => {
    for (let i = 0; i < 3; i += 1) mark(String(api.runtime.system.enqueueSystemEvent('The build broke.', { sessionKey: ctx.sessionKey })));
    mark(String(api.runtime.system.enqueueSystemEvent('', { sessionKey: ctx.sessionKey })));
  });`;
  await using world = await openTestRuntime({
    files: { 'a.md': 'x' },
    plugins: { notifier },
    isRecorded: false,
  });
  const asked: string[] = [];
  const seen = ({ messages }: { readonly messages: readonly unknown[] }): void =>
    void asked.push(JSON.stringify(messages.at(-1)));
  await world.say('count', script);
  await world.say('next', [{ text: 'Mend it.' }], { seen });
  await world.say('last', [{ text: 'Done.' }], { seen });
  expect(world.marks).toEqual(['true', 'true', 'true', 'false']);
  expect(asked.map((text) => text.split('System event: The build broke.').length - 1)).toEqual([1, 0]);
});
