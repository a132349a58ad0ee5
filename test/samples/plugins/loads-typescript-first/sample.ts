import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'beside a compiled file TypeScript gets the TypeScript one, JavaScript the compiled one',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('source stale');
  },
});
