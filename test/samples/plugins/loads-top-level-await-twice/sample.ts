import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'two imports of a module that awaits get one instance, and it is complete',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('slow,slow,true');
  },
});
