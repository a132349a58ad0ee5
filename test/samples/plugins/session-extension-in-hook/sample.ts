import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a tool hook reads the session state of its own plugin, and of no other',
  async check({ manager, marks, runTool, sessionKey }) {
    expect(await runTool('review', { sessionKey })).toBe('stored');
    await manager.hooks.modify(
      'before_tool_call',
      { toolName: 'read', params: {} },
      { toolName: 'read', sessionKey },
    );
    expect(marks).toEqual(['owner {"open":2}', 'stranger undefined']);
  },
});
