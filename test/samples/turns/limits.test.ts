import { describe, expect, it } from 'vitest';
import type { TurnLimits } from '../../../src/config/sections/agentSection.ts';
import { openTurnWorld, type TurnWorld, type TurnWorldOptions } from '../../builders/openTurnWorld.ts';

const limits: TurnLimits = {
  maxRounds: 40,
  maxToolCalls: 200,
  maxMs: 3_600_000,
  maxTokens: undefined,
  maxCost: undefined,
};
const within = (more: Partial<TurnLimits>): Pick<TurnWorldOptions, 'input'> => ({
  input: { limits: { ...limits, ...more } },
});
const work = (id: string, usage?: { input: number; output: number }) => ({
  events: [
    { type: 'toolCall' as const, id, name: 'work', arguments: { on: id } },
    { type: 'done' as const, stopReason: 'toolUse' as const, ...(usage === undefined ? {} : { usage }) },
  ],
});

describe('a turn stops at its limit, says which, and leaves no call without a result', () => {
  it('rounds: what the last answer asked for is still done', async () => {
    await using world = await openTurnWorld({ ...within({ maxRounds: 2 }), answers: [['a'], ['b'], ['c']] });
    expect(await world.say('work')).toMatchObject({
      code: 'round_limit',
      message: 'Stopped after 2 model answers without a final one.',
    });
    expect(world.trace.slice(-3)).toEqual(['start b', 'end b', 'ended: failed round_limit']);
  });

  it('tool calls: the others are reported as skipped', async () => {
    await using world = await openTurnWorld({ ...within({ maxToolCalls: 1 }), answers: [['a', 'b', 'c']] });
    expect(await world.say('work')).toMatchObject({ code: 'call_limit' });
    expect(world.trace.slice(-3)).toEqual([
      'end b (skipped call_limit)',
      'end c (skipped call_limit)',
      'ended: failed call_limit',
    ]);
  });

  it('tokens: as the server counted them, else estimated', async () => {
    await using counted = await openTurnWorld({
      ...within({ maxTokens: 100 }),
      answers: [work('a', { input: 60, output: 40 })],
    });
    expect(await counted.say('work')).toMatchObject({ code: 'token_limit' });
    expect(counted.trace).toContain('end a (skipped token_limit)');
    await using estimated = await openTurnWorld({ ...within({ maxTokens: 10 }), answers: [['a']] });
    expect(await estimated.say('work on it now')).toMatchObject({ code: 'token_limit' });
  });

  it('money: where the price is known, and never where it is not', async () => {
    const spends = {
      ...within({ maxCost: 1 }),
      answers: [work('a', { input: 1_000_000, output: 0 }), 'Done.'],
    };
    await using priced = await openTurnWorld({ ...spends, info: { cost: { input: 1, output: 1 } } });
    expect(await priced.say('work')).toMatchObject({ code: 'cost_limit' });
    await using free = await openTurnWorld(spends);
    expect(await free.say('work')).toMatchObject({ status: 'completed' });
  });

  it('time: also in the middle of a call that hears no signal', async () => {
    await using world = await openTurnWorld({
      ...within({ maxMs: 60_000 }),
      answers: [['a', 'b']],
      at: {
        'call a': ({ clock }) => {
          clock.advance(60_000);
          return new Promise(() => undefined);
        },
      },
    });
    expect(await world.say('work')).toMatchObject({
      code: 'time_limit',
      message: 'Stopped after 1 minute; questions to you were not counted.',
    });
    expect(world.session.messages().map((each) => each.role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'toolResult',
    ]);
  });

  it('time: a question that waits for the user costs none', async () => {
    await using world = await openTurnWorld({
      ...within({ maxMs: 60_000 }),
      asks: true,
      answers: [['a'], 'Done.'],
      at: {
        ask({ clock, answer }) {
          clock.advance(100_000);
          answer('allow-once');
        },
      },
    });
    expect(await world.say('work')).toMatchObject({ status: 'completed' });
  });

  it('a queued message has the limits for itself', async () => {
    await using world = await openTurnWorld({
      ...within({ maxRounds: 2 }),
      answers: [['a'], 'First.', ['b'], 'Second.'],
      at: { 'model 1': ({ queue }) => queue('next') },
    });
    expect(await world.say('work')).toMatchObject({ status: 'completed', text: 'Second.' });
  });

  it('an answer without calls stands, whatever it used', async () => {
    await using world = await openTurnWorld({ ...within({ maxTokens: 1 }), answers: ['A long answer.'] });
    expect(await world.say('work')).toMatchObject({ status: 'completed' });
  });
});

describe('a model that goes in circles', () => {
  const same = { ...work('a'), events: work('a').events };
  const explained = (world: TurnWorld) => world.trace.filter((line) => line.includes('tool-loop'));

  it('is told of the third identical call, which is not carried out, and stopped at the next', async () => {
    await using world = await openTurnWorld({ answers: [same, same, same, same, 'Done.'] });
    expect(await world.say('work')).toMatchObject({ code: 'loop_detected' });
    expect(world.trace.filter((line) => line.startsWith('start'))).toHaveLength(2);
    expect(explained(world)).toHaveLength(1);
    expect(world.trace.at(-2)).toBe('end a (skipped loop_detected)');
    const told = world.asked[3]?.messages.at(-1);
    expect(JSON.stringify(told)).toContain('again and again with the same result');
    expect(told).toMatchObject({ details: { status: 'blocked', deniedReason: 'tool-loop' } });
  });

  it('goes on where it listens', async () => {
    await using world = await openTurnWorld({ answers: [same, same, same, work('b'), 'Done.'] });
    expect(await world.say('work')).toMatchObject({ status: 'completed' });
  });

  it('may watch something that changes', async () => {
    let polls = 0;
    await using world = await openTurnWorld({ answers: [same, same, same, same, same, 'Done.'] });
    world.on('tool_result_persist', ({ message }) => {
      polls += 1;
      return {
        message: { ...message, content: [{ type: 'text', text: `line ${String(polls)}` }] } as typeof message,
      };
    });
    expect(await world.say('work')).toMatchObject({ status: 'completed' });
    expect(polls).toBe(5);
  });
});
