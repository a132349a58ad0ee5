import { expect, it } from 'vitest';
import { createManualClock } from '../../test/builders/manualClock.ts';
import type { Clock } from '../host/ports.ts';
import { createDeadlines } from './callHandlers.ts';

function setUp() {
  const manual = createManualClock();
  let armed = 0;
  const clock: Clock = { ...manual, after: (ms, call) => ((armed += 1), manual.after(ms, call)) };
  const deadlines = createDeadlines(clock);
  const expired: string[] = [];
  const add = (name: string, at: number) => {
    const deadline = deadlines.add(at, () => {
      deadlines.remove(deadline);
      expired.push(name);
    });
    return deadline;
  };
  return { manual, deadlines, expired, add, armed: () => armed };
}

it('expires each deadline at its own time, an earlier one that came later too', () => {
  const { manual, expired, add } = setUp();
  add('slow', 100);
  add('quick', 20);
  add('same', 20);
  manual.advance(19);
  expect(expired).toEqual([]);
  manual.advance(1);
  expect([...expired].sort()).toEqual(['quick', 'same']);
  manual.advance(79);
  expect(expired).toHaveLength(2);
  manual.advance(1);
  expect(expired).toContain('slow');
});

it('never expires what was taken out, and says whether it still was in', () => {
  const { manual, deadlines, expired, add } = setUp();
  const [first, middle, last] = [add('a', 10), add('b', 10), add('c', 10)];
  expect(deadlines.remove(middle)).toBe(true);
  expect(deadlines.remove(middle)).toBe(false);
  deadlines.remove(last);
  manual.advance(10);
  expect(expired).toEqual(['a']);
  expect(deadlines.remove(first)).toBe(false);
});

it('arms one timer for calls that come and go', () => {
  const { deadlines, add, armed } = setUp();
  for (let at = 0; at < 1_000; at += 1) deadlines.remove(add('x', 15_000 + at));
  expect(armed()).toBe(1);
});

it('expires the others where one takes another out', () => {
  const { manual, deadlines, expired, add } = setUp();
  const victim = add('victim', 10);
  const killer = deadlines.add(10, () => {
    deadlines.remove(killer);
    deadlines.remove(victim);
  });
  add('third', 10);
  manual.advance(10);
  expect(expired).toEqual(['third']);
});
