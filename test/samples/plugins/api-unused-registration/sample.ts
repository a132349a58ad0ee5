import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what has no effect here is listed, once, with a warning that says what is lost; a route waits for the gateway',
  check({ plugin, found }) {
    expect(plugin('server').unused).toEqual(['other music generation provider tune']);
    expect(found('plugin_registration_unused', 'server')).toMatchObject([
      {
        level: 'warn',
        message: 'music generation provider tune has no effect here: no tool here makes music',
      },
    ]);
    expect(plugin('server').registrations['http route']).toEqual(['/status']);
    expect(found('plugin_needs_gateway', 'server')).toMatchObject([
      { level: 'info', message: '1 HTTP route is served while the gateway runs.' },
    ]);
    expect(found('plugin_registration_refused', 'server')).toMatchObject([
      { message: 'http route registration missing path' },
    ]);
  },
});
