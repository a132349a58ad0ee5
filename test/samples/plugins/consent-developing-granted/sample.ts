import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import { createConsentStore } from '../../../../src/plugins/consent/consentStore.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'enabling changed files keeps the mark',
  async check({ root, folderOf, manager, load }) {
    const fs = createNodeFileSystem();
    const store = createConsentStore(fs, join(root, 'home'));
    const rootDir = folderOf('p');
    await store.setDeveloping('p', rootDir, true);
    await writeFile(join(rootDir, 'index.ts'), 'export default () => {};\n');
    await load();
    await manager.grantConsent('p');
    expect((await store.consents()).map(({ developing }) => developing)).toEqual([true]);
  },
});
