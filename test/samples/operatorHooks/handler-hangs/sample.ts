import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a handler that never settles is left after 30 seconds; what it does later is not seen',
  speed: 1000,
  async check({ found, emit }) {
    expect(await emit('command:new')).toEqual(['early', 'late undefined']);
    expect(found('hook_timed_out')).toMatchObject([
      { message: 'hook "a-hangs" failed at command:new: timed out after 30000ms' },
    ]);
    Reflect.deleteProperty(globalThis, 'late');
  },
});
