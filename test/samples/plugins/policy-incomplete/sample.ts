import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a trusted tool policy needs id, description and evaluate, and an id of its own',
  check({ manager, plugin, found }) {
    expect(plugin('rules').registrations['tool policy']).toEqual(['budget']);
    expect(manager.hooks.has('before_tool_call', 'policies')).toBe(true);
    expect(found('plugin_registration_refused', 'rules').map(({ message }) => message)).toEqual([
      'trusted tool policy registration requires id, description, and evaluate()',
      'trusted tool policy already registered: budget (rules)',
    ]);
  },
});
