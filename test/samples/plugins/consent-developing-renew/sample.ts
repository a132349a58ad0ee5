import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import { createConsentStore } from '../../../../src/plugins/consent/consentStore.ts';
import { fileHashes, readPluginFiles } from '../../../../src/plugins/consent/readPluginFiles.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a save by hand renews the consent of a plugin you develop',
  async check({ root, folderOf, load, marks }) {
    const fs = createNodeFileSystem();
    const store = createConsentStore(fs, join(root, 'home'));
    const rootDir = folderOf('p');
    await store.setDeveloping('p', rootDir, true);
    await writeFile(join(rootDir, 'index.ts'), "mark('saved');\nexport default () => {};\n");
    const read = await readPluginFiles(fs, { rootDir });
    const now = { id: 'p', rootDir, hash: read.hash, files: fileHashes(read.files), grantedAt: 1 };
    expect(await store.renew(now, ['index.ts'])).toBe(true);
    await load();
    expect(marks).toEqual(['p', 'saved']);
    expect((await store.consents())[0]?.developing).toBe(true);
  },
});
