import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings nested deeper than any schema are refused',
  config: { entries: { p: { config: { a: JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown } } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'validation' });
    expect(plugin('p').error).toMatch(/nested deeper than 100 levels/u);
  },
});
