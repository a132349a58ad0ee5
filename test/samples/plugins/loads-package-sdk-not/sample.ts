import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the SDK is the host’s even where the plugin has an openclaw package installed (#53403)',
  prepare: installPackages('p'),
  async check({ runTool, marks }) {
    expect(await runTool('ping')).toBe('1');
    expect(marks).toEqual([]);
  },
});
