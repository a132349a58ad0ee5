import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'createRequire gives the same modules as every import of the plugin',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('1.2.3,true,true');
  },
});
