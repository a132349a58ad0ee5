import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a guard of the program comes last: other plugins can not go beyond the end of the order',
  async check({ manager, plugin, found }) {
    const { params } = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: {} },
      { toolName: 'write' },
    );
    expect(params).toEqual({ by: 'guard' });
    expect(plugin('late').hooks).toMatchObject([{ priority: -1_000_000_000, position: 1 }]);
    expect(found('plugin_hook_priority_cut')).toMatchObject([{ pluginId: 'late', level: 'info' }]);
  },
});
