import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'Node’s own modules come as default, by name, as namespace and with or without node:',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true,a/b,waited,function,true');
  },
});
