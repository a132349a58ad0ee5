import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an empty schema means no settings',
  config: { entries: { p: { config: { a: 1 } } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('p').error).toMatch(/^invalid config: <root>: config must be empty$/u);
  },
});
