import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: '__dirname and __filename tell CommonJS and TypeScript where they are',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('writtentruetrue');
  },
});
