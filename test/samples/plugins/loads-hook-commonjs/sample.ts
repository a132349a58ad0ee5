import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hook of a compiled CommonJS plugin changes what happens',
  async check({ manager }) {
    const outcome = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(outcome.params).toEqual({ path: 'b.txt' });
  },
});
