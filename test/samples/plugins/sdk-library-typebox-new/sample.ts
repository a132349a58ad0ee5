import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'typebox, the newer one, is there with its parts',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('object,true,false');
  },
});
