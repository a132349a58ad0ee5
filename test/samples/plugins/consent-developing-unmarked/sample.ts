import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import { createConsentStore } from '../../../../src/plugins/consent/consentStore.ts';
import { fileHashes, readPluginFiles } from '../../../../src/plugins/consent/readPluginFiles.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a save renews nothing for a plugin that was never enabled, nor for one that is not marked',
  async check({ root, folderOf }) {
    const fs = createNodeFileSystem();
    const store = createConsentStore(fs, join(root, 'home'));
    const rootDir = folderOf('p');
    await writeFile(join(rootDir, 'index.ts'), 'export default () => {};\n');
    const read = await readPluginFiles(fs, { rootDir });
    const now = { id: 'p', rootDir, hash: read.hash, files: fileHashes(read.files), grantedAt: 1 };
    expect(await store.renew(now, ['index.ts'])).toBe(false);
    await store.setDeveloping('p', rootDir, true);
    await store.setDeveloping('p', rootDir, false);
    expect(await store.renew(now, ['index.ts'])).toBe(false);
  },
});
