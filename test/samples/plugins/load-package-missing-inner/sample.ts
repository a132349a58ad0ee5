import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what a package lacks is named together with the file that asks for it',
  prepare: installPackages('p'),
  check({ plugin }) {
    expect(plugin('p').error).toMatch(/Cannot find package 'lacking' imported from .*needy/u);
  },
});
