import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a CommonJS plugin that exports its register function loads',
  async check({ plugin, runTool }) {
    expect(plugin('cjs').status).toBe('loaded');
    expect(await runTool('ping')).toBe('a/b');
  },
});
