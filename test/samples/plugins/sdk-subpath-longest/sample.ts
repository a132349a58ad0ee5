import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a subpath is taken whole: what starts like another one is not that one (#33704)',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true,false,false');
  },
});
