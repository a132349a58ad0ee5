import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what register puts into a runtime store is found by the other files, and nothing is left for the next load',
  async check({ runTool, manager, marks }) {
    expect(await runTool('ping')).toBe('kept');
    await manager.reload('p');
    expect(marks).toEqual(['null', 'not ready', 'null', 'not ready']);
  },
});
