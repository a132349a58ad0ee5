import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace plugin for a slot runs because you enabled it, and says so',
  check({ plugin }) {
    expect(plugin('p')).toMatchObject({ status: 'loaded', reason: 'enabled by you' });
  },
});
