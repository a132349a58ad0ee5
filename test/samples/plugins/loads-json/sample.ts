import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'JSON is imported with attributes and required alike',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('data,data,data,data,true');
  },
});
