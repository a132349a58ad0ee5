import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a hook runs from a copy of the files that were hashed: what is written afterwards counts at the next load',
  async check({ emit, load, root }) {
    await writeFile(join(root, 'home/.pincer/hooks/lazy/text.ts'), "export const text = 'written later';\n");
    expect(await emit('command:new')).toEqual(['as hashed']);
    await load();
    expect(await emit('command:new')).toEqual(['written later']);
  },
});
