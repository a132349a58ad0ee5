import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a setting may name an environment variable',
  config: { entries: { p: { config: { key: { env: 'MY_KEY' }, list: [{ env: 'MY_KEY' }] } } } },
  env: { MY_KEY: 'from env' },
  check({ marks }) {
    expect(marks).toEqual(['{"key":"from env","list":["from env"]}']);
  },
});
