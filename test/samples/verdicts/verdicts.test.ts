import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeHandlerSets } from './handlerSets.ts';
import { judgeSet } from './judgeSet.ts';

const sets = makeHandlerSets(2_000, 20_261_125);
/** A fixture each, so that a difference is read in a file of its own size. */
const perFixture = 250;

// What calls plugins may be built in another way; what comes of a call may not change.
describe('the verdict of plugins of both dialects on a tool call', () => {
  for (let from = 0; from < sets.length; from += perFixture) {
    it(`stays what it was, sets ${String(from)} to ${String(from + perFixture - 1)}`, async () => {
      const lines: string[] = [];
      for (const [at, set] of sets.slice(from, from + perFixture).entries())
        lines.push(`${String(from + at)} ${JSON.stringify(await judgeSet(set))}`);
      const file = join(import.meta.dirname, 'fixtures', `${String(from)}.jsonl`);
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file);
    });
  }
});
