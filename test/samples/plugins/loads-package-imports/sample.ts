import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: '#names and a package’s own name lead where its package.json says',
  prepare: installPackages('p'),
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('first,own,helped');
  },
});
