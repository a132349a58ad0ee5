import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the compiled form that package.json names is loaded instead of the source',
  check({ marks, manager }) {
    expect(marks).toEqual(['compiled']);
    expect(manager.plugins()[0]?.diagnostics.filter(({ level }) => level !== 'info')).toEqual([]);
  },
});
