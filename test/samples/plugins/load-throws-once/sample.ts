import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'CommonJS that throws is evaluated once',
  check({ plugin, marks }) {
    expect(plugin('p').error).toBe('failed to load plugin: not today');
    expect(marks).toEqual(['evaluated']);
  },
});
