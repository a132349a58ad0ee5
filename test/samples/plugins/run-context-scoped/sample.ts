import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'run context belongs to one plugin and one run, holds JSON only, and ends with the run',
  async check({ manager, marks }) {
    const fire = (): Promise<unknown> =>
      manager.hooks.modify('before_tool_call', { toolName: 'read', params: {} }, { toolName: 'read' });
    await fire();
    manager.endRun('r1');
    await fire();
    expect(marks).toEqual([
      'true',
      'false',
      'cleared undefined',
      '{"count":1}',
      'other undefined',
      'gone',
      'other undefined',
    ]);
  },
});
