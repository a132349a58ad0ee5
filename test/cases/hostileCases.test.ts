import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadJudge, readCases, runCase } from '../../scripts/cases.ts';

describe.each(['ssrf', 'shell', 'binds', 'paths'] as const)('%s', async (kind) => {
  const judge = await loadJudge(kind);
  const cases = await readCases(join(import.meta.dirname, `${kind}.json`));
  it.each(cases.map((each) => [each.class, each.input, each] as const))(
    '%s: %j',
    async (_class, _input, each) => {
      expect(await runCase(judge, each), each.why).toBe(each.expected);
    },
  );
});
