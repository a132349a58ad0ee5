import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a module without register or activate is an error',
  check({ plugin }) {
    expect(plugin('empty')).toMatchObject({
      status: 'error',
      error: 'plugin export missing register/activate',
    });
  },
});
