import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gateway_stop that never ends does not hold the stop up until its own time is over',
  // What a slow machine needs to end the rest has to fit between the two limits.
  speed: 2,
  async check({ runtime, marks }) {
    await runtime.stop('shutdown');
    expect(marks).toEqual(['gateway_stop']);
  },
});
