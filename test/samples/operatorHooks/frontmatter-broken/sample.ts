import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a HOOK.md that can not be read is an error at its line, and hides no other hook',
  async check({ found, hook, emit }) {
    expect(found('hook_file_invalid').map(({ message, line }) => [message.slice(0, 60), line])).toEqual([
      ['hook "broken": HOOK.md: Flow sequence in block collection mu', 4],
      ['hook "none": HOOK.md has no frontmatter: its first line must', 1],
      ['hook "open": HOOK.md: its frontmatter has no closing ---', 1],
      ['hook "wrong": HOOK.md: its metadata is no object', 4],
    ]);
    expect(hook('broken').status).toBe('error');
    expect(await emit('command:new')).toEqual(['good']);
  },
});
