import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a module that awaits delays those that import it, and every other is evaluated once',
  async check({ runTool, marks }) {
    expect(await runTool('ping')).toBe('1,2,3');
    expect(marks).toEqual(['first', 'slow', 'last', 'index']);
  },
});
