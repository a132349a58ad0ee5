import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a handler has the time that the config gives it, and its abort signal fires',
  config: { entries: { slow: { hooks: { timeoutMs: 10_000, timeouts: { message_received: 25 } } } } },
  async check({ manager, marks, found }) {
    await manager.hooks.observe('message_received', { from: 'user', content: 'hi' }, { channelId: 'vscode' });
    expect(marks).toEqual(['aborted']);
    expect(found('hook_timed_out', 'slow')[0]?.message).toContain('timed out after 25ms');
  },
});
