import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gateway_stop that never ends does not hold the stop up until its own time is over',
  speed: 50,
  async check({ runtime, marks }) {
    await runtime.stop('shutdown');
    expect(marks).toEqual(['gateway_stop']);
  },
});
