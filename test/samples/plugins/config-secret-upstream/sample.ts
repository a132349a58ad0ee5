import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "upstream's way to name an environment variable works",
  config: { entries: { p: { config: { key: { source: 'env', provider: 'default', id: 'MY_KEY' } } } } },
  env: { MY_KEY: 'from env' },
  check({ marks }) {
    expect(marks).toEqual(['{"key":"from env"}']);
  },
});
