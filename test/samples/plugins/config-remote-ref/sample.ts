import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a schema that refers to a server is refused, and nothing is fetched',
  config: { entries: { p: { config: { a: 1 } } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('p').error).toMatch(/can't resolve reference https:..example\.invalid.schema\.json/u);
  },
});
