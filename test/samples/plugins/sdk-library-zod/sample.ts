import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'zod is there for plugins that bring none, the same as the SDK’s',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true,true,false,function,function');
  },
});
