import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'index.mts and index.cts are entries like index.ts',
  check({ marks }) {
    expect(marks.toSorted()).toEqual(['c', 'm']);
  },
});
