import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a changed hook that fails leaves its previous version running, and says so',
  async check({ emit, load, hook, found, root }) {
    await writeFile(join(root, 'home/.pincer/hooks/edited/handler.ts'), "throw new Error('broken');\n");
    await load();
    expect(await emit('command:new')).toEqual(['one']);
    expect(hook('edited')).toMatchObject({
      status: 'loaded',
      reason: 'failed to load hook: broken; the previous version still runs',
    });
    expect(found('hook_load_failed')).toHaveLength(1);
  },
});
