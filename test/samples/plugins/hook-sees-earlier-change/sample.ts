import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a later guard judges what an earlier plugin made of the call',
  async check({ manager }) {
    const { block } = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(block).toEqual({ pluginId: 'b-guard', reason: 'secret' });
  },
});
