import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'main may be a file without ending or a folder, and index is the rest',
  prepare: installPackages('p'),
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('file,folder,index,extra');
  },
});
