import { expect, it, test } from 'vitest';
import type { ExtensionPoint } from '../../../../src/dexto/dextoTypes.ts';
import type { HandlerSource } from '../../../../src/hooks/hookRegistration.ts';
import type { PointContext } from '../../../../src/hooks/payloads/pointHooks.ts';
import { openTurnWorld, type TurnWorld } from '../../../builders/openTurnWorld.ts';
import { readyPlugin } from '../../../builders/openExtensionPoints.ts';

const answerIt = (world: TurnWorld): void => world.answer('allow-once');

/** Lets everything pass and keeps what it was called with. */
function recording(calls: { readonly point: ExtensionPoint; readonly call: PointContext }[]): HandlerSource {
  return {
    handlers: (hook) => [
      {
        ...({ hook, pluginId: 'recorder', isAdapter: true, priority: 0, timeoutMs: 1_000 } as const),
        handler: (_payload, call) => void calls.push({ point: hook as ExtensionPoint, call }),
      },
    ],
    pending: () => undefined,
  };
}

it('each point is told of the turn, the tenant, the model that answers now, and the call', async () => {
  const calls: { point: ExtensionPoint; call: PointContext }[] = [];
  const fallback = {
    provider: 'q',
    model: 'n',
    name: 'Model N',
    contextWindow: 1_000,
    maxOutputTokens: 100,
    toolCalling: true,
  };
  await using world = await openTurnWorld({
    points: recording(calls),
    answers: [
      {
        events: [
          { type: 'fallback', to: fallback, because: { code: 'model_offline', message: 'Gone.' } },
          { type: 'toolCall', id: 'a', name: 'work', arguments: { on: 'a' } },
          { type: 'done', stopReason: 'toolUse' },
        ],
      },
      'Done.',
    ],
  });
  const tenant = { tenantId: 'acme', userId: 'u1' };
  const settings = { temperature: 0.2 };
  await world.say('go', { tenant, settings });
  const facts = calls.map(({ point, call }) => [
    point,
    call.model.model,
    call.toolName ?? '-',
    call.toolCallId ?? '-',
  ]);
  expect(facts).toEqual([
    ['beforeLLMRequest', 'm', '-', '-'],
    ['beforeToolCall', 'n', 'work', 'a'],
    ['afterToolResult', 'n', 'work', 'a'],
    ['beforeResponse', 'n', '-', '-'],
  ]);
  const { session } = world;
  const runId = calls[0]?.call.runId;
  expect(runId).toMatch(/^[\w-]{36}$/u);
  for (const { call } of calls)
    expect(call).toMatchObject({
      runId,
      sessionId: session.id,
      sessionKey: session.key,
      agentId: session.agentId,
      tenant,
      settings,
    });
});

it('a question is asked on behalf of the tenant', async () => {
  await using world = await openTurnWorld({ answers: [['a'], 'Done.'], asks: true, at: { ask: answerIt } });
  await world.say('go', { tenant: { tenantId: 'acme' } });
  const [question] = world.events.filter((event) => event.type === 'approval_requested');
  expect(question?.request.tenantId).toBe('acme');
});

it('where no tenant is known, none is made up', async () => {
  const calls: { point: ExtensionPoint; call: PointContext }[] = [];
  await using world = await openTurnWorld({ points: recording(calls), answers: [['a'], 'Done.'] });
  await world.say('go');
  expect(calls.flatMap(({ call }) => ('tenant' in call ? [call] : []))).toEqual([]);
});

test('a point that nobody listens at is never passed', async () => {
  const points: HandlerSource = { handlers: () => [], pending: () => undefined };
  await using world = await openTurnWorld({
    points,
    answers: [['a'], 'Done.'],
    at: { 'call a': ({ steer }) => steer('more') },
  });
  expect(await world.say('go')).toEqual({ status: 'completed', text: 'Done.' });
  expect(world.events.some((event) => event.type === 'text')).toBe(true);
  const stages = world.steps.flatMap((step) => (step.kind === 'tool' ? [step.stage] : []));
  expect(stages).not.toContain('beforeToolCall');
  expect(stages).not.toContain('afterToolResult');
});

test('the signal of a plugin aborts with the turn', async () => {
  let signal: AbortSignal | undefined;
  const slow = readyPlugin('slow', {
    beforeToolCall: (_payload, { abortSignal }) => {
      signal = abortSignal;
      world.cancel();
      return new Promise(() => undefined);
    },
  });
  await using world = await openTurnWorld({ dexto: [slow], answers: [['a']] });
  expect(await world.say('go')).toEqual({ status: 'cancelled' });
  expect(signal?.aborted).toBe(true);
});
