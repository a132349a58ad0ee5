import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'registerHook with the name of a typed hook listens to it, as plugins expect',
  async check({ manager }) {
    const outcome = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'read', params: {} },
      { toolName: 'read' },
    );
    expect(outcome.block).toEqual({ pluginId: 'old', reason: 'old way' });
  },
});
