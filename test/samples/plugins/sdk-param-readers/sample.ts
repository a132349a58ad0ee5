import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the readers trim, convert and split as upstream’s do, and name what is required',
  async check({ runTool }) {
    expect(JSON.parse(await runTool('ping', { path: 'p' }))).toEqual([
      'x',
      7,
      ['a', 'b'],
      ['c'],
      '3',
      true,
      false,
      true,
      false,
      'p',
    ]);
    await expect(runTool('ping')).rejects.toThrow('path required');
  },
});
