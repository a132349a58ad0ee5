import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an error of transpiled code points to the line that the author wrote',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('index.ts:11');
  },
});
