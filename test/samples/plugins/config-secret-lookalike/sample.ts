import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an object that the schema describes is no reference to a secret',
  config: { entries: { p: { config: { deploy: { env: 'production' } } } } },
  check({ marks }) {
    expect(marks).toEqual(['{"deploy":{"env":"production"}}']);
  },
});
