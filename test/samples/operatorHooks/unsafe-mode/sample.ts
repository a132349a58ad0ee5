import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: "one of the user's own hooks that anybody may write is blocked; a workspace hook is guarded by its consent",
  async prepare(root) {
    await chmod(join(root, 'home/.pincer/hooks/open/handler.ts'), 0o666);
    await chmod(join(root, 'workspace/hooks/shared/handler.ts'), 0o666);
  },
  async check({ hook, emit }) {
    expect(hook('open').reason).toMatch(/world-writable/u);
    expect(await emit('command:new')).toEqual(['shared']);
  },
});
