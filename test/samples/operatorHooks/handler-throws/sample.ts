import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a handler that throws, whatever it throws, is reported by name and stops no other',
  async check({ found, hook, emit }) {
    expect(await emit('command:new')).toEqual(['before', 'd-good']);
    expect(found('hook_failed').map(({ message }) => message)).toEqual([
      'hook "a-error" failed at command:new: broken',
      'hook "b-value" failed at command:new: {"why":"no error"}',
      'hook "c-thenable" failed at command:new: then',
    ]);
    expect(hook('a-error').diagnostics).toHaveLength(1);
    expect(hook('d-good').diagnostics).toEqual([]);
  },
});
