import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a HOOK.md without a handler file is an error that says which file to add',
  check({ hook, found }) {
    expect(hook('empty')).toMatchObject({ status: 'error', reason: 'it has HOOK.md but no handler file' });
    expect(found('hook_handler_missing')[0]?.hint).toBe('Add handler.ts or handler.js beside HOOK.md.');
  },
});
