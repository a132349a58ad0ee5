import { expect, it } from 'vitest';
import { scheduleSection } from './scheduleSection.ts';

it('a heartbeat comes after whole milliseconds, whatever part of a minute the config says', () => {
  // 1.1 * 60,000 is 66,000.00000000001.
  expect(scheduleSection.resolve({ heartbeat: { everyMinutes: 1.1 } }).heartbeat?.everyMs).toBe(66_000);
});
