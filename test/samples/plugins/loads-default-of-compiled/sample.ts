import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'of compiled CommonJS the default is what it was before in TypeScript, and all of it in Node’s own ES modules',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('default,named,defaultnamednamed,bare');
  },
});
