import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package that is only an ES module is imported, and required from CommonJS',
  prepare: installPackages('p'),
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('pure pure');
  },
});
