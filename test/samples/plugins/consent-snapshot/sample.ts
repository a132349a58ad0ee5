import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what runs is what was agreed to: files edited after the load change nothing that loads later',
  async check({ manager, marks, folderOf }) {
    await writeFile(join(folderOf('lazy'), 'later.ts'), "export const text = 'swapped';\n");
    await manager.hooks.observe('message_received', { from: 'u', content: '' }, { channelId: 'x' });
    expect(marks).toEqual(['agreed']);
  },
});
