import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an ES module that throws is evaluated once, and what it imports too',
  check({ plugin, marks }) {
    expect(plugin('p').error).toBe('failed to load plugin: not today');
    expect(marks).toEqual(['first', 'evaluated']);
  },
});
