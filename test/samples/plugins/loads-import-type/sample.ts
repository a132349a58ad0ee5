import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'imports of types alone are gone at run time, whatever they name',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('typed');
  },
});
