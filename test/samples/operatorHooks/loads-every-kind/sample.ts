import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'handlers load from handler.* or index.*, ES modules and CommonJS; handler.* comes first',
  async check({ emit }) {
    expect(await emit('command:new')).toEqual(['cjs', 'mjs', 'js', 'index', 'handler']);
  },
});
