import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what nothing uses yet is listed, with a diagnostic that says so',
  check({ plugin, found }) {
    expect(plugin('server').unused).toEqual(['http route /status']);
    expect(found('plugin_registration_unused', 'server')).toHaveLength(1);
    expect(found('plugin_registration_refused', 'server')).toMatchObject([
      { message: 'http route registration missing path' },
    ]);
  },
});
