import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings are found in a configuration, live or as at the start, and never half',
  async check({ runTool }) {
    expect(JSON.parse(await runTool('ping'))).toEqual([{ a: 1 }, null, null, { a: 1 }, { a: 0 }, null]);
  },
});
