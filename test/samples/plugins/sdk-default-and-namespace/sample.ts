import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the SDK is imported as default, as namespace, and asked what it has',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true,true,true');
  },
});
