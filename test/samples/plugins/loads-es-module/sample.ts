import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an ES module with a named register loads',
  async check({ plugin, runTool }) {
    expect(plugin('esm').status).toBe('loaded');
    expect(await runTool('ping')).toBe('from another module');
  },
});
