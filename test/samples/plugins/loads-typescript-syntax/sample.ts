import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'enums, namespaces, decorators, parameter properties and satisfies work',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('red,blue,14,decorated,4,1,1,function');
  },
});
