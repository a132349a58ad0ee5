import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { callOf, resultOf } from '../../test/builders/toolCalls.ts';
import type { TurnLimits } from '../config/sections/agentSection.ts';
import type { ApprovalRequest } from '../contracts/approval.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import {
  createTurnMeter,
  decideLimit,
  type TurnUse,
  createTurnTime,
  createRepeatGuard,
  findCircle,
  type RepeatVerdict,
} from './createTurnMeter.ts';

const limits: TurnLimits = { maxRounds: 3, maxToolCalls: 4, maxMs: 60_000, maxTokens: 1_000, maxCost: 0.5 };

describe('createTurnMeter', () => {
  it('adds up what the turn uses; an unknown price counts nothing', () => {
    const meter = createTurnMeter(createManualClock(), limits);
    meter.noteAnswer({ input: 400, output: 100 }, undefined);
    expect(meter.findLimit('model')).toBeUndefined();
    meter.noteAnswer({ input: 400, output: 50 }, { input: 600, output: 600 });
    expect(meter.findLimit('model')).toBeUndefined();
    meter.noteAnswer({ input: 40, output: 10 }, { input: 10_000, output: 10_000 });
    expect(meter.findLimit('model')?.code).toBe('token_limit');
    meter.restart();
    expect(meter.findLimit('model')).toBeUndefined();
  });

  it('stops by money before by rounds', () => {
    const meter = createTurnMeter(createManualClock(), { ...limits, maxTokens: undefined });
    meter.noteAnswer({ input: 1_000, output: 0 }, { input: 600, output: 0 });
    expect(meter.findLimit('model')).toMatchObject({
      code: 'cost_limit',
      message: expect.stringContaining('$0.6000') as string,
    });
  });

  it('lets no time pass as long as one of several questions waits', () => {
    const clock = createManualClock();
    const meter = createTurnMeter(clock, limits);
    const ask = (id: string) =>
      meter.noteEvent({ type: 'approval_requested', request: { id } as ApprovalRequest });
    const resolve = (id: string) =>
      meter.noteEvent({
        type: 'approval_resolved',
        by: 'chat',
        request: { id } as ApprovalRequest,
        resolution: 'deny',
      });
    ask('one');
    ask('two');
    resolve('one');
    clock.advance(70_000);
    expect(meter.signal.aborted).toBe(false);
    resolve('two');
    clock.advance(59_999);
    expect(meter.signal.aborted).toBe(false);
    clock.advance(1);
    expect(meter.signal.aborted).toBe(true);
  });

  it('explains a repeated call once, then stops the turn', () => {
    const meter = createTurnMeter(createManualClock(), limits);
    for (let time = 0; time < 2; time += 1) {
      const each = callOf('read');
      expect([meter.findLimit(each), meter.isRepeated(each)]).toEqual([undefined, false]);
      meter.noteCall(each, resultOf('same'));
    }
    const third = callOf('read');
    expect([meter.findLimit(third), meter.isRepeated(third)]).toEqual([undefined, true]);
    expect(meter.findLimit(callOf('read'))).toMatchObject({ code: 'loop_detected' });
  });
});

const unused: TurnUse = { rounds: 0, toolCalls: 0, ms: 0, tokens: 0, cost: 0 };

describe('decideLimit', () => {
  it.each([
    ['round_limit', { rounds: 3 }, 'model', '3 model answers', 'agent.maxRounds'],
    ['call_limit', { toolCalls: 4 }, 'tool', '4 tool calls', 'agent.limits.maxToolCalls'],
    ['time_limit', { ms: 60_000 }, 'tool', '1 minute;', 'agent.limits.maxMinutes'],
    ['time_limit', { ms: 60_000 }, 'model', '1 minute;', 'agent.limits.maxMinutes'],
    ['token_limit', { tokens: 1_000 }, 'tool', '1000 tokens', 'agent.limits.maxTokens'],
    ['cost_limit', { cost: 0.5 }, 'model', '$0.5000', 'agent.limits.maxCost'],
  ] as const)('%s: names what was used and the setting to raise', (code, use, next, words, setting) => {
    const limit = decideLimit(limits, { ...unused, ...use }, next);
    expect(limit?.code).toBe(code);
    expect(limit?.message).toContain(words);
    expect(limit?.hint).toContain(setting);
  });

  it('lets what an answer asked for be done after the last round, and the model speak after the last call', () => {
    expect(decideLimit(limits, { ...unused, rounds: 3 }, 'tool')).toBeUndefined();
    expect(decideLimit(limits, { ...unused, toolCalls: 4 }, 'model')).toBeUndefined();
  });

  it('knows no limit of tokens and money where none is set', () => {
    const free = { ...limits, maxTokens: undefined, maxCost: undefined };
    expect(decideLimit(free, { ...unused, tokens: 1e12, cost: 1e12 }, 'model')).toBeUndefined();
  });
});

describe('createTurnTime', () => {
  it('aborts when the time is over, without the time that questions waited', () => {
    const clock = createManualClock();
    const time = createTurnTime(clock, 100);
    clock.advance(60);
    time.pause();
    clock.advance(1_000);
    expect([time.used(), time.signal.aborted]).toEqual([60, false]);
    time.resume();
    clock.advance(39);
    expect(time.signal.aborted).toBe(false);
    clock.advance(1);
    expect(time.signal.aborted).toBe(true);
  });

  it('begins anew where it is restarted, and leaves no timer behind', () => {
    const clock = createManualClock();
    const time = createTurnTime(clock, 100);
    clock.advance(90);
    time.restart();
    clock.advance(90);
    expect([time.used(), time.signal.aborted]).toEqual([90, false]);
    time.dispose();
    clock.advance(1_000);
    expect(time.signal.aborted).toBe(false);
  });

  it('starts no timer for a question that is resolved after the turn', () => {
    const clock = createManualClock();
    const time = createTurnTime(clock, 100);
    time.pause();
    time.dispose();
    time.resume();
    clock.advance(1_000);
    expect(time.signal.aborted).toBe(false);
  });
});

describe('createRepeatGuard', () => {
  /** Judges calls one after the other; what may run gives `results`, or always the same. */
  const judge = (
    names: readonly string[],
    resultAt: (index: number) => string = () => 'same',
  ): RepeatVerdict[] => {
    const guard = createRepeatGuard();
    return names.map((name, index) => {
      const each = callOf(name);
      const verdict = guard.judge(each);
      if (verdict === 'run') guard.note(each, resultOf(resultAt(index)));
      return verdict;
    });
  };

  it('explains the third call in a row that is the same and gave the same, and stops at the fourth', () => {
    expect(judge(['a', 'a', 'a', 'a'])).toEqual(['run', 'run', 'explain', 'stop']);
  });

  it('sees two calls in turn, and three, and stops where the circle goes on with its next call', () => {
    expect(judge(['a', 'b', 'a', 'b', 'a', 'b']).slice(4)).toEqual(['explain', 'stop']);
    expect(judge(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b']).slice(6)).toEqual(['explain', 'stop']);
  });

  it('lets a model that listened go on, and explains another circle for itself', () => {
    expect(judge(['a', 'a', 'a', 'b', 'b', 'b', 'b'])).toEqual([
      'run',
      'run',
      'explain',
      'run',
      'run',
      'explain',
      'stop',
    ]);
  });

  it('is no judge of calls whose results change: polling', () => {
    expect(judge(Array<string>(20).fill('process'), String)).not.toContain('explain');
  });

  it('takes calls with their parameters in another order for the same', () => {
    const guard = createRepeatGuard();
    for (const args of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ])
      guard.note(callOf('read', args), resultOf('same'));
    expect(guard.judge(callOf('read', { a: 1, b: 2 }))).toBe('explain');
    expect(guard.judge(callOf('read', { a: 1, b: 3 }))).toBe('run');
  });

  it('finds no circle where the last six calls are all different', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 7 }), (names) => {
        const past = names.slice(1).map((each) => ({ call: each, result: 'same' }));
        expect(findCircle(past, names[0] ?? '')).toBeUndefined();
      }),
    );
  });
});
