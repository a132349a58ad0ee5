import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a handler file that never finishes loading is dropped after 30 seconds and not tried again until it changes',
  speed: 200,
  async check({ hook, load, emit, marks }) {
    expect(hook('stuck')).toMatchObject({
      status: 'error',
      reason: 'failed to load hook: timed out after 30000ms',
    });
    expect(await emit('command:new')).toEqual(['good']);
    await load();
    expect(marks).toEqual(['evaluated']);
    expect(hook('stuck').status).toBe('error');
  },
});
