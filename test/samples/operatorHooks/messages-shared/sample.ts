import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a handler sees the texts of the handlers before it',
  async check({ emit }) {
    expect(await emit('command:new')).toEqual(['first', 'after first']);
    expect(await emit('command:new')).toEqual(['first', 'after first']);
  },
});
