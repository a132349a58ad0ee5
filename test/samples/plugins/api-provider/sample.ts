import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a provider needs an id that no other plugin has',
  check({ plugin, found }) {
    expect(plugin('a-models').registrations).toEqual({ 'model provider': ['acme'] });
    expect(found('plugin_registration_refused').map(({ message }) => message)).toEqual([
      'provider registration missing id',
      'provider already registered: acme (a-models)',
    ]);
  },
});
