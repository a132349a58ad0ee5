import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'changed files are asked about again with their names; until then the enabled version runs on',
  async check({ manager, marks, plugin, load, folderOf }) {
    await writeFile(join(folderOf('edited'), 'text.ts'), "export const text = 'two';\n");
    await load();
    const fire = () =>
      manager.hooks.observe('message_received', { from: 'u', content: '' }, { channelId: 'x' });
    await fire();
    expect(plugin('edited')).toMatchObject({
      status: 'loaded',
      needsConsent: { why: 'files-changed', changedFiles: ['text.ts'] },
    });
    await manager.grantConsent('edited');
    await fire();
    expect(marks).toEqual(['one', 'two']);
  },
});
