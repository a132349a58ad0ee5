import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'higher priorities run first over all plugins; equal ones in plugin order',
  async check({ manager, marks }) {
    await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(marks).toEqual(['b', 'a', 'c']);
  },
});
