import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the SDK is one under all its names (§1)',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true');
  },
});
