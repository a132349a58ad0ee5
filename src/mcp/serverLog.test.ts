import { expect, it } from 'vitest';
import { createServerLog } from './serverLog.ts';

it("marks each line of the server, so that none passes for one of Pincer's, in the order in which they came", () => {
  const log = createServerLog();
  log.note('[10:00:00 UTC] It has started.');
  log.hear('ready\n\n[10:00:01 UTC] Call of echo: answered after 1 ms.\r');
  log.note('[10:00:02 UTC] It was stopped.');
  expect(log.lines()).toEqual([
    '[10:00:00 UTC] It has started.',
    '| ready',
    '| [10:00:01 UTC] Call of echo: answered after 1 ms.',
    '[10:00:02 UTC] It was stopped.',
  ]);
});

it("keeps Pincer's own lines however much the server writes", () => {
  const log = createServerLog();
  log.note('It has started.');
  log.hear('x\n'.repeat(1_000));
  expect(log.lines()).toHaveLength(201);
  expect(log.lines()[0]).toBe('It has started.');
});
