import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what has no effect here is listed, once, with a warning that says what is lost',
  check({ plugin, found }) {
    expect(plugin('server').unused).toEqual(['http route /status', 'other music generation provider tune']);
    expect(found('plugin_registration_unused', 'server')).toMatchObject([
      {
        level: 'warn',
        message:
          'http route "/status" has no effect here: no HTTP server runs for plugins, so nobody can call it',
      },
      { level: 'warn' },
    ]);
    expect(found('plugin_registration_refused', 'server')).toMatchObject([
      { message: 'http route registration missing path' },
    ]);
  },
});
