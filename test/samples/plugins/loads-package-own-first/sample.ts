import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a library that the plugin brings is taken before the one that comes with the host',
  prepare: installPackages('p'),
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('its own');
  },
});
