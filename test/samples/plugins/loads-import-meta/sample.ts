import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'import.meta tells a module where it is',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('written,true,true,node:fs');
  },
});
