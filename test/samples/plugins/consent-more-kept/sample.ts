import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what the user has agreed to beyond the text stays agreed to where the files change, and is shown then; it goes with the consent',
  async check({ manager, plugin, load, folderOf }) {
    const blocked = async (): Promise<unknown> =>
      (
        await manager.hooks.modify(
          'before_tool_call',
          { toolName: 'write', params: {} },
          { toolName: 'write' },
        )
      ).block;
    await manager.allowRegistrations('sly', ['hook before_tool_call']);
    await writeFile(join(folderOf('sly'), 'text.ts'), "export const text = 'two';\n");
    await load();
    expect(plugin('sly')).toMatchObject({
      needsConsent: { why: 'files-changed' },
      asks: { more: ['hook before_tool_call'] },
    });
    await manager.grantConsent('sly');
    expect(await blocked()).toMatchObject({ pluginId: 'sly' });
    await manager.revokeConsent('sly');
    await manager.grantConsent('sly');
    expect(plugin('sly').heldBack).toEqual(['hook before_tool_call']);
  },
});
