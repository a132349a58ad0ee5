import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a broken hook takes the place of none',
  async check({ hooks, emit }) {
    expect(await emit('command:new')).toEqual(['config']);
    expect(hooks.list().map(({ status }) => status)).toEqual(['loaded', 'error']);
  },
});
