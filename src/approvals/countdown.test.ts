import { beforeEach, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { startBoth, startCountdown } from './countdown.ts';

let clock: ManualClock;
let isWatched: boolean;
let ended: number;
const looked: Emitter<void> = createEmitter();
const attention = { isWatched: () => isWatched, onDidChange: looked.event };
const end = (): void => void (ended += 1);

/** Somebody looks, or nobody does, from now on. */
function look(does: boolean): void {
  isWatched = does;
  looked.fire();
}

beforeEach(() => {
  clock = createManualClock();
  isWatched = true;
  ended = 0;
});

it('ends once, after its time', () => {
  const countdown = startCountdown(clock, 1_000, undefined, end);
  clock.advance(999);
  expect(countdown.left()).toEqual({ ms: 1, isRunning: true });
  expect(ended).toBe(0);
  clock.advance(10_000);
  expect(ended).toBe(1);
});

it('stands still while nobody looks', () => {
  const countdown = startCountdown(clock, 1_000, attention, end);
  clock.advance(400);
  look(false);
  clock.advance(10_000);
  expect(countdown.left()).toEqual({ ms: 600, isRunning: false });
  look(true);
  clock.advance(599);
  expect(ended).toBe(0);
  clock.advance(1);
  expect(ended).toBe(1);
});

it('never ends once it is stopped', () => {
  startCountdown(clock, 1_000, attention, end).stop();
  look(false);
  look(true);
  clock.advance(10_000);
  expect(ended).toBe(0);
});

it('of two times shows the shorter, and ends with it while nobody looks', () => {
  const overtaken: number[] = [];
  const times = { ms: 1_000, clockMs: 5_000 };
  const countdown = startBoth(clock, times, attention, {
    ended: end,
    overtaken: () => overtaken.push(clock.monotonic()),
  });
  expect(countdown.left()).toEqual({ ms: 1_000, isRunning: true });
  look(false);
  clock.advance(3_999);
  expect(countdown.left()).toEqual({ ms: 1_000, isRunning: false });
  // Once it has stood still for the difference of both, the clock has less left.
  clock.advance(1);
  expect(overtaken).toEqual([4_000]);
  expect(countdown.left()).toEqual({ ms: 1_000, isRunning: true });
  clock.advance(1_000);
  expect(ended).toBe(1);
});
