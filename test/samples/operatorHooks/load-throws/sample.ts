import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a handler file that throws or can not be parsed is an error; the other hooks load',
  async check({ hook, found, emit }) {
    expect(hook('broken')).toMatchObject({ status: 'error', reason: 'failed to load hook: at once' });
    expect(hook('syntax').status).toBe('error');
    expect(found('hook_load_failed')).toHaveLength(2);
    expect(await emit('command:new')).toEqual(['good']);
  },
});
