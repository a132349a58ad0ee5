import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a block names its plugin and reason, and later plugins are not asked',
  async check({ manager, marks }) {
    const outcome = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(outcome.block).toEqual({ pluginId: 'guard', reason: 'No writes on Fridays.' });
    expect(marks).toEqual([]);
  },
});
