import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a changed hook is loaded anew, one that stays the same is kept, one that is gone no longer listens',
  async check({ emit, load, hooks, events, root, marks }) {
    const file = join(root, 'home/.pincer/hooks/edited/handler.ts');
    await writeFile(
      file,
      "globalThis.mark('new');\nexport default (event) => void event.messages.push('two');\n",
    );
    await load();
    await load();
    expect(await emit('command:new')).toEqual(['two']);
    expect(marks).toEqual(['new']);
    await rm(join(root, 'home/.pincer/hooks/edited'), { recursive: true });
    await load();
    expect(hooks.list()).toEqual([]);
    expect(events.has('command', 'new')).toBe(false);
  },
});
