import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a guard that throws stops the call, one that only watches does not',
  async check({ manager, found }) {
    const { block } = await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'write', params: { path: 'a.txt' } },
      { toolName: 'write' },
    );
    expect(block).toEqual({
      pluginId: 'bad',
      reason: 'Tool call blocked because before_tool_call hook failed',
    });
    await manager.hooks.observe('message_received', { from: 'user', content: 'hi' }, { channelId: 'vscode' });
    expect(found('hook_failed', 'bad').map(({ message }) => message)).toEqual([
      '[hooks] before_tool_call handler from bad failed: guard broke',
      '[hooks] message_received handler from bad failed; its error text is not shown because it may quote the user',
    ]);
  },
});
