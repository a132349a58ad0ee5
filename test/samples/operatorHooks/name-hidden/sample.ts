import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a name with characters that can not be seen is refused, so that no hook looks like another',
  check({ hooks, found }) {
    expect(found('hook_file_invalid')).toMatchObject([
      { message: 'hook "hidden": HOOK.md: its name has hidden characters', line: 2 },
    ]);
    expect(hooks.list()[0]?.status).toBe('error');
  },
});
