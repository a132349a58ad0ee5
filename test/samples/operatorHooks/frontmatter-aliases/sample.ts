import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'frontmatter that would grow without bound, or is nested without end, is refused',
  check({ hooks, found }) {
    expect(found('hook_file_invalid').map(({ message }) => message.slice(0, 40))).toEqual([
      'hook "deep": HOOK.md: it is nested too d',
      'hook "laughs": HOOK.md: Excessive alias ',
    ]);
    expect(hooks.list().map(({ status }) => status)).toEqual(['error', 'error']);
  },
});
