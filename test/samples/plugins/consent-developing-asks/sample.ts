import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import { createConsentStore } from '../../../../src/plugins/consent/consentStore.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'marking a plugin as the one you develop does not let changed files run by themselves',
  async check({ root, folderOf, load, marks, plugin }) {
    const fs = createNodeFileSystem();
    const store = createConsentStore(fs, join(root, 'home'));
    const rootDir = folderOf('p');
    await store.setDeveloping('p', rootDir, true);
    await writeFile(join(rootDir, 'index.ts'), "mark('changed');\nexport default () => {};\n");
    await load();
    expect(marks).toEqual(['p']);
    expect(plugin('p').needsConsent).toMatchObject({ why: 'files-changed', changedFiles: ['index.ts'] });
  },
});
