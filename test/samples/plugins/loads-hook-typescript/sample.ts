import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hook of a TypeScript plugin with the SDK changes what happens',
  async check({ manager }) {
    const outcome = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(outcome.block).toEqual({ pluginId: 'p', reason: 'not a.txt' });
  },
});
