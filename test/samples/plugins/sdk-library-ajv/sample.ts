import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'ajv is there as default, by name and required',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true,false,true,true,true');
  },
});
