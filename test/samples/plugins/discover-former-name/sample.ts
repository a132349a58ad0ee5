import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package.json that still has a former name of the key is read as if it had the present one',
  async check({ plugin, runTool }) {
    expect(plugin('old').source).toMatch(/main\.js$/u);
    expect(await runTool('old_tool')).toBe('still here');
  },
});
