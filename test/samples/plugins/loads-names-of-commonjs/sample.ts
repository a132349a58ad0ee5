import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'CommonJS is imported whole, by name and as namespace; a function too',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('plain,plain,plain,true,called,field');
  },
});
