import { describe, expect, it } from 'vitest';
import { callOf, resultOf } from '../../../test/builders/toolCalls.ts';
import type { TurnLimits } from '../../config/sections/agentSection.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import { createManualClock } from '../../host/memory/manualClock.ts';
import { createTurnMeter } from './createTurnMeter.ts';

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
