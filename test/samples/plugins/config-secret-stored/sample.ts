import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a setting may name a stored secret',
  config: { entries: { p: { config: { key: { secret: 'mine' } } } } },
  secrets: { mine: 'stored' },
  check({ marks }) {
    expect(marks).toEqual(['{"key":"stored"}']);
  },
});
