import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a session extension needs namespace and description, functions where it has any, and a free namespace',
  check({ plugin, found }) {
    expect(plugin('state').registrations).toEqual({ 'session extension': ['a'] });
    expect(found('plugin_registration_refused', 'state').map(({ message }) => message)).toEqual([
      'session extension registration requires namespace and description',
      'session extension project must be a function',
      'session extension cleanup must be a function',
      'session extension already registered: a',
    ]);
  },
});
