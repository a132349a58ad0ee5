import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a tool can take the name of neither a core tool nor another plugin; the first keeps it',
  check({ manager, found }) {
    expect(manager.tools({}).map(({ name, owner }) => [name, owner])).toEqual([
      ['ping', { kind: 'plugin', pluginId: 'a-first' }],
    ]);
    expect(found('plugin_tool_conflict', 'b-second').map(({ message }) => message)).toEqual([
      'plugin tool name conflict (b-second): ping',
      'plugin tool name conflict (b-second): write',
    ]);
  },
});
