import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const run = (command: string, more: object = {}): object => ({
  toolCalls: [{ name: 'exec', arguments: { command, ...more } }],
});
const done = { text: 'Done.' };

function resultOf(events: readonly AgentEvent[]): string {
  const ended = events.find((event) => event.type === 'tool_ended');
  return JSON.stringify(ended?.result.content);
}

it('a variable that a plugin adds reaches the command, one that would run other code does not', async () => {
  const env = "{ GREETING: 'ahoy', LD_PRELOAD: '/tmp/evil.so', BASH_ENV: '/tmp/evil' }";
  await using world = await openTestRuntime({
    plugins: { env: `module.exports = (api) => api.on('resolve_exec_env', () => (${env}));` },
    answer: 'allow-once',
  });
  const { events } = await world.say('greet', [run('echo "$GREETING,$LD_PRELOAD,$BASH_ENV"'), done]);
  expect(resultOf(events)).toContain('ahoy,,');
  expect(world.log.lines.map(({ message }) => message).join('\n')).toContain(
    "variable 'LD_PRELOAD' is forbidden",
  );
});

it('a command on the allow list runs unasked, another one asks, one on the deny list is never asked about', async () => {
  await using world = await openTestRuntime({
    config: { tools: { exec: { allow: ['echo **'], deny: ['shred'] } } },
    answer: 'deny',
  });
  const asked = (events: readonly AgentEvent[]): number =>
    events.filter((event) => event.type === 'approval_requested').length;
  const allowed = await world.say('a', [run('echo hi && echo there'), done]);
  expect([asked(allowed.events), resultOf(allowed.events).includes('hi')]).toEqual([0, true]);
  const other = await world.say('b', [run('touch x'), done]);
  expect([asked(other.events), resultOf(other.events).includes('Denied by user')]).toEqual([1, true]);
  const denied = await world.say('c', [run('shred x'), done]);
  expect([asked(denied.events), resultOf(denied.events).includes('shred')]).toEqual([0, true]);
});

it('ask: always asks about a harmless command, in mode full too, and offers no "always"', async () => {
  await using world = await openTestRuntime({
    config: { tools: { exec: { ask: 'always' } }, approvals: { mode: 'full' } },
    answer: 'deny',
  });
  const { events } = await world.say('a', [run('git status'), done]);
  const asked = events.find((event) => event.type === 'approval_requested');
  expect(asked?.request.decisions).toEqual(['allow-once', 'deny']);
});

it('a background command survives the turn and ends with its session', async () => {
  await using world = await openTestRuntime({ answer: 'allow-once', isRecorded: false });
  await world.say('wait', [run('sleep 300', { background: true }), done]);
  const [job] = world.runtime.tools.jobs.list();
  expect(job?.end()).toBeUndefined();
  await world.runtime.conversations.reset(world.session);
  expect((await job?.ended)?.cause).toBe('killed');
});
