import { describe, expect, it } from 'vitest';
import type { ContextManager } from '../../../src/agent/context/createContextManager.ts';
import type { HookName } from '../../../src/hooks/hookMap.ts';
import { findOrderFault } from '../../builders/findOrderFault.ts';
import { openTurnWorld, type TurnWorld, type TurnWorldOptions } from '../../builders/openTurnWorld.ts';

// A cancel in each stage of a turn. What hangs here hangs for ever and hears no signal, and the clock stands still: a turn that
// waited for anything would never end.

const forever = new Promise<never>(() => undefined);

/** Cancels, then never gives the turn its step back. */
const hang = ({ cancel }: TurnWorld): Promise<never> => {
  cancel();
  return forever;
};

const calls: TurnWorldOptions = { answers: [['a', 'b'], 'Done.'] };

async function expectCancelled(world: TurnWorld): Promise<void> {
  expect(await world.say('work')).toEqual({ status: 'cancelled' });
  expect(findOrderFault(world.session.messages())).toBeUndefined();
  await using after = await world.reopen();
  expect(findOrderFault(after.session.messages())).toBeUndefined();
  expect(after.session.interruptedTurn()).toBeUndefined();
  expect((await after.say('go on')).status).toBe('completed');
  expect(findOrderFault(after.asked[0]?.messages ?? [])).toBeUndefined();
}

describe('a cancel ends the turn at once and leaves a transcript that goes on', () => {
  it.each<[string, TurnWorldOptions]>([
    ['a model that hangs before its first word', { answers: ['x'], at: { 'model 1': hang } }],
    ['a model that hangs in the middle of its calls', { ...calls, at: { 'model 1': hang } }],
    ['a tool that does not hear its signal', { ...calls, at: { 'call a': hang } }],
    ['the second tool', { ...calls, at: { 'call b': hang } }],
    ['an approval that nobody answers', { ...calls, asks: true, at: { ask: ({ cancel }) => cancel() } }],
    ['the model call after the calls', { ...calls, at: { 'model 2': hang } }],
  ])('%s', async (_stage, options) => {
    await using world = await openTurnWorld(options);
    await expectCancelled(world);
  });

  it('a model that waits for its next try', async () => {
    await using world = await openTurnWorld({
      answers: [
        {
          events: [
            {
              type: 'retry',
              attempt: 1,
              waitMs: 60_000,
              because: { code: 'model_rate_limited', message: 'Busy.' },
            },
            { type: 'done', stopReason: 'stop' },
          ],
        },
      ],
      at: { 'model 1': hang },
    });
    await expectCancelled(world);
    expect(world.events.map((event) => event.type)).toContain('model_retry');
  });

  it.each<HookName>([
    'before_model_resolve',
    'agent_turn_prepare',
    'before_prompt_build',
    'before_agent_start',
    'before_agent_run',
    'before_agent_reply',
    'before_tool_call',
    'before_agent_finalize',
    'reply_payload_sending',
    'message_sending',
  ])('a plugin that hangs in %s', async (hook) => {
    await using world = await openTurnWorld(hook === 'before_tool_call' ? calls : {});
    world.on(hook, () => hang(world));
    await expectCancelled(world);
  });

  it('a plugin that hangs while it judges what the user said meanwhile: the words wait on', async () => {
    await using world = await openTurnWorld({ ...calls, at: { 'call a': ({ steer }) => steer('new') } });
    world.on('before_agent_run', ({ prompt }) => (prompt === 'new' ? hang(world) : { outcome: 'pass' }));
    await expectCancelled(world);
    expect(world.inbox.list(world.session.id).map((each) => each.text)).toEqual(['new']);
  });

  it('a compaction that hangs', async () => {
    const context = { makeRoom: () => hang(world), beginTurn: () => undefined } as Partial<ContextManager>;
    await using world: TurnWorld = await openTurnWorld({ context: context as ContextManager });
    await expectCancelled(world);
  });

  it.each<HookName | undefined>([undefined, 'before_prompt_build', 'before_agent_run', 'message_sending'])(
    'tells plugins of a cancelled turn once, also where it broke off in %s',
    async (hook) => {
      const seen: unknown[] = [];
      await using world = await openTurnWorld(
        hook === undefined ? { ...calls, at: { 'call a': hang } } : { answers: ['Done.'] },
      );
      if (hook !== undefined) world.on(hook, () => hang(world));
      world.on('agent_end', ({ success, error }) => void seen.push([success, error]));
      await world.say('work');
      expect(seen).toEqual([hook === 'message_sending' ? [true, undefined] : [false, 'cancelled']]);
    },
  );
});
