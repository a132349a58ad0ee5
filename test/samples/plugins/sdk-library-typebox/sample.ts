import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: '@sinclair/typebox is there with its parts, and its schemas are those of tools',
  async check({ runTool }) {
    expect(await runTool('ping', { n: 2 })).toBe('2 true false');
    expect(await runTool('ping', { n: 0 })).toBe('0 false false');
  },
});
