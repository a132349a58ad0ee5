import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a file that several others import is evaluated once',
  async check({ runTool, marks }) {
    expect(await runTool('ping')).toBe('true');
    expect(marks).toEqual(['shared']);
  },
});
