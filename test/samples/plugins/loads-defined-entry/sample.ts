import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'definePluginEntry keeps register of an object and of a class, and adds a config schema',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('entry object');
  },
});
