import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a gateway method needs a name and a handler, and is registered once',
  check({ plugin, found }) {
    expect(plugin('a-rpc').registrations).toEqual({ 'gateway method': ['notes.list'] });
    expect(
      found('plugin_registration_refused').map(({ pluginId, message }) => `${pluginId ?? ''}: ${message}`),
    ).toEqual([
      'a-rpc: gateway method already registered: notes.list',
      'a-rpc: gateway method missing name',
      'a-rpc: gateway method handler must be a function',
      'b-rpc: gateway method already registered: notes.list',
    ]);
  },
});
