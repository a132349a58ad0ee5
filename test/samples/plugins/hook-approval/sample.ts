import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'every plugin that asks for approval is named, the strictest included',
  async check({ manager, marks }) {
    const { asks, block } = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(block).toBeUndefined();
    expect(asks).toMatchObject([
      { asker: 'a', title: 'Write a.txt?', severity: 'critical' },
      { asker: 'b', title: 'Sure?', severity: 'warning' },
    ]);
    await asks[1]?.onResolution?.('allow-once');
    expect(marks).toEqual(['allow-once']);
  },
});
