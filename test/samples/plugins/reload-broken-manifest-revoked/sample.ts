import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a broken manifest does not keep a plugin running whose consent the user takes back',
  async check({ manager, folderOf, load }) {
    await writeFile(join(folderOf('risky'), 'openclaw.plugin.json'), '{ "id": ');
    await load();
    expect(manager.hooks.has('message_received')).toBe(true);
    await manager.revokeConsent('risky-plugin');
    expect(manager.hooks.has('message_received')).toBe(false);
  },
});
