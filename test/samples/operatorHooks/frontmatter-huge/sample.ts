import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a HOOK.md of 5 MB is refused by its size and hides no other hook',
  prepare: (root) => appendFile(join(root, 'home/.pincer/hooks/huge/HOOK.md'), 'x'.repeat(5_000_000)),
  async check({ found, emit }) {
    expect(found('hook_file_unreadable')[0]?.message).toMatch(/the limit here is 1000000/u);
    expect(await emit('command:new')).toEqual(['good']);
  },
});
