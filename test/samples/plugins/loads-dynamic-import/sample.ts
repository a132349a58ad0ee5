import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'import() loads files of the plugin and the SDK when they are needed',
  async check({ runTool, marks }) {
    expect(marks).toEqual([]);
    expect(await runTool('ping')).toBe('late,function,true');
    expect(marks).toEqual(['late']);
  },
});
