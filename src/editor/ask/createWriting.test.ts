import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createWriting } from './createWriting.ts';

it('a message is being written for a minute after each place, until it is sent', () => {
  const clock = createManualClock(0);
  const writing = createWriting(clock);
  expect(writing.isOn()).toBe(false);
  writing.begin();
  clock.advance(59_000);
  expect(writing.isOn()).toBe(true);
  writing.begin();
  clock.advance(59_000);
  expect(writing.isOn()).toBe(true);
  clock.advance(1_000);
  expect(writing.isOn()).toBe(false);
  writing.begin();
  writing.end();
  expect(writing.isOn()).toBe(false);
});
