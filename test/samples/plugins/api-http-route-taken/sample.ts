import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'of two plugins with one HTTP route the first keeps it',
  check({ found }) {
    expect(found('plugin_registration_refused')).toMatchObject([
      { pluginId: 'b-second', message: 'http route already registered: /hook' },
    ]);
  },
});
