import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'metadata.export picks the function among several exports',
  async check({ emit }) {
    expect(await emit('command:new')).toEqual(['onNew']);
  },
});
