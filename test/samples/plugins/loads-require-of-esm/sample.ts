import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'require of an ES module gives its exports',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('word,default,default,word');
  },
});
