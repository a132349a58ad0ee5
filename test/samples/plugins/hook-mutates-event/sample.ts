import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that changes the event object changes nothing for others',
  async check({ manager, marks }) {
    const { params } = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(params).toEqual({ path: 'a.txt' });
    expect(marks).toEqual(['write a.txt write']);
  },
});
