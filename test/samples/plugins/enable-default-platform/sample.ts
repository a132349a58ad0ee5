import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a bundled plugin may be on by default on some platforms alone',
  check({ plugin }) {
    expect(plugin('here')).toMatchObject({ status: 'loaded', reason: 'enabled by default' });
    expect(plugin('elsewhere')).toMatchObject({
      status: 'disabled',
      reason: 'bundled (disabled by default)',
    });
  },
});
