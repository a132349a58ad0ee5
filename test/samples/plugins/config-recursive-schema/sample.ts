import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a schema that refers to itself works',
  config: { entries: { p: { config: { next: { next: {} } } } } },
  check({ marks }) {
    expect(marks).toEqual(['{"next":{"next":{}}}']);
  },
});
