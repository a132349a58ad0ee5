import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'defineToolPlugin makes a whole plugin: texts as they are, everything else as JSON, factories asked',
  async check({ runTool }) {
    expect(await runTool('ping', { a: 'x' })).toBe('x p');
    expect(JSON.parse(await runTool('data'))).toEqual({ n: 1 });
    expect(await runTool('done')).toBe('finished');
    expect(await runTool('made')).toBe('string');
  },
});
