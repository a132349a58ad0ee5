import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an HTTP route with an unknown auth is refused',
  check({ plugin, found }) {
    expect(plugin('server').registrations).toEqual({});
    expect(found('plugin_registration_refused', 'server')).toMatchObject([
      { message: 'http route registration missing or invalid auth: /x' },
    ]);
  },
});
