import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that is switched off is no error, whatever version it needs',
  config: { deny: ['p'] },
  check({ plugin }) {
    expect(plugin('p')).toMatchObject({ status: 'disabled', reason: 'blocked by denylist' });
  },
});
