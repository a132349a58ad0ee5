import { expect, it } from 'vitest';
import { summarizeFailures } from './summarizeFailures.ts';
import type { PluginSlot } from './toRecord.ts';

const slot = (id: string, phase?: 'load' | 'register') =>
  ({ plan: { id }, ...(phase === undefined ? {} : { failure: { phase } }) }) as PluginSlot;

it('names what failed by phase, in upstream words', () => {
  expect(
    summarizeFailures([slot('a', 'load'), slot('b'), slot('c', 'register'), slot('d', 'load')])?.message,
  ).toBe(
    "[plugins] 3 plugin(s) failed to initialize (load: a, d; register: c). Run 'pincer plugins list' for details.",
  );
  expect(summarizeFailures([slot('b')])).toBeUndefined();
});
