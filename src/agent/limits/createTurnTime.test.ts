import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../host/memory/manualClock.ts';
import { createTurnTime } from './createTurnTime.ts';

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
