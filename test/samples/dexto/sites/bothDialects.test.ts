import { expect, it } from 'vitest';
import { describeTrace } from '../../../../src/traces/describeTrace.ts';
import type { TraceLine } from '../../../../src/traces/runTrace.ts';
import { readyPlugin } from '../../../builders/openExtensionPoints.ts';
import { openTurnWorld, type TurnWorld } from '../../../builders/openTurnWorld.ts';

// A plugin of each dialect on the same tool call: one trace tells what both did, in the order of
// the bands. `claw` is an OpenClaw plugin, `tenant-auth` a Dexto plugin.

const openClaw = (world: TurnWorld): void => {
  world.on('message_received', () => undefined, 'claw');
  world.on('before_model_resolve', () => undefined, 'claw');
  world.on('before_tool_call', () => ({ params: { on: 'b' } }), 'claw');
  world.on('tool_result_persist', () => undefined, 'claw');
  world.on('after_tool_call', () => undefined, 'claw');
  world.on('message_sending', () => undefined, 'claw');
};

/** Who did what: `claw before_tool_call nothing`, `tenant-auth beforeToolCall changed args.on`. */
function told(line: TraceLine): string {
  if (line.kind === 'hook' || line.kind === 'point') {
    const paths = (line.changes ?? []).map(({ path }) => path);
    const name = line.kind === 'hook' ? line.hook : line.point;
    return [line.pluginId, name, line.outcome, ...paths].join(' ');
  }
  return `${line.kind} ${line.kind === 'tool' ? line.stage : 'outcome' in line ? line.outcome : ''}`;
}

it('a turn with a tool call, told in the order of the bands', async () => {
  const tenantAuth = readyPlugin('tenant-auth', {
    beforeLLMRequest: ({ text }) => ({ ok: true, modify: { text: `${text}!` } }),
    beforeToolCall: ({ args }) => ({
      ok: true,
      modify: { args: { ...(args as object), on: 'c' } },
      notices: [{ kind: 'allow', code: 'TENANT_OK', message: 'acme may do this' }],
    }),
    afterToolResult: () => ({ ok: true, modify: { result: 'did it' } }),
    beforeResponse: ({ content }) => ({ ok: true, modify: { content: `${content} Signed.` } }),
  });
  await using world = await openTurnWorld({ dexto: [tenantAuth], answers: [['a'], 'Done.'], ticks: true });
  openClaw(world);
  expect(await world.say('work')).toEqual({ status: 'completed', text: 'Done. Signed.' });
  expect(world.transcript()).toEqual([
    'user: work!',
    'assistant: [a]',
    'a: did it',
    'assistant: Done. Signed.',
  ]);

  const trace = (await world.traced())!;
  expect(trace.lines.map(told)).toEqual([
    'message received',
    'claw message_received nothing',
    'tenant-auth beforeLLMRequest changed text',
    'claw before_model_resolve nothing',
    'model answered',
    'claw before_tool_call changed params.on',
    'tenant-auth beforeToolCall changed args.on',
    'policy allowed',
    'tool execute',
    'tenant-auth afterToolResult changed result',
    'claw tool_result_persist nothing',
    'claw after_tool_call nothing',
    'model answered',
    'claw message_sending nothing',
    'tenant-auth beforeResponse changed content',
    'message delivered',
  ]);
  expect(trace.lines.find((line) => line.kind === 'point' && line.point === 'beforeToolCall')).toMatchObject({
    toolName: 'work',
    toolCallId: 'a',
    changes: [{ path: 'args.on', before: 'b', after: 'c' }],
    notices: [{ kind: 'allow', code: 'TENANT_OK', message: 'acme may do this' }],
  });
  // As people read it: what both did to the call stands under the call.
  const ofCall = describeTrace(trace).filter(({ depth }) => depth === 1);
  expect(
    ofCall.map(({ title }) => title.replace(/^([\w-]+ · \w+).*$/u, '$1').replace(/ \(.*$/u, '')),
  ).toEqual([
    'claw · before_tool_call',
    'tenant-auth · beforeToolCall',
    'host rules: nothing to ask',
    'work ran',
    'tenant-auth · afterToolResult',
    'claw · tool_result_persist',
    'claw · after_tool_call',
  ]);
});

it('a call that the Dexto plugin blocks did not run, and only observers hear of it', async () => {
  const ran: string[] = [];
  const tenantAuth = readyPlugin('tenant-auth', {
    beforeToolCall: () => ({ ok: false, cancel: true, message: 'acme may not' }),
    afterToolResult: () => ({ ok: true }),
  });
  await using world = await openTurnWorld({
    dexto: [tenantAuth],
    answers: [['a'], 'Done.'],
    at: { 'call b': () => ran.push('b') },
    ticks: true,
  });
  openClaw(world);
  expect(await world.say('work')).toMatchObject({ status: 'completed' });
  expect(ran).toEqual([]);
  const trace = (await world.traced())!;
  expect(trace.status).toBe('completed');
  expect(trace.lines.filter((line) => 'toolCallId' in line).map(told)).toEqual([
    'claw before_tool_call changed params.on',
    'tenant-auth beforeToolCall blocked',
    'claw tool_result_persist nothing',
    'claw after_tool_call nothing',
  ]);
});
