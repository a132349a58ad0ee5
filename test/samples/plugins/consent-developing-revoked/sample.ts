import { join } from 'node:path';
import { expect } from 'vitest';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import { createConsentStore } from '../../../../src/plugins/consent/consentStore.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'taking the consent back takes the mark with it',
  async check({ root, folderOf, manager }) {
    const fs = createNodeFileSystem();
    const store = createConsentStore(fs, join(root, 'home'));
    const rootDir = folderOf('p');
    await store.setDeveloping('p', rootDir, true);
    await manager.revokeConsent('p');
    await manager.grantConsent('p');
    expect((await store.consents()).map(({ developing }) => developing)).toEqual([undefined]);
  },
});
