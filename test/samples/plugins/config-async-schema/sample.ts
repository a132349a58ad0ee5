import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a schema that asks for asynchronous checks is checked all the same',
  config: { entries: { p: { config: { a: 1 } } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('p').error).toMatch(/^invalid config: a: must be string$/u);
  },
});
