import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the trace of a run is on disk when the runtime has stopped',
  async check({ runtime, say, stored }) {
    await say('hi', done);
    await runtime.stop('shutdown');
    expect(await stored()).toContain('writer');
  },
});
