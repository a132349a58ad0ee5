import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'switching a plugin off stops it even while its changed files wait for consent',
  async check({ folderOf, load, plugin }) {
    await writeFile(join(folderOf('p'), 'index.ts'), 'export default () => {};\n');
    await load();
    expect(plugin('p').status).toBe('loaded');
    await load({ config: { entries: { p: { enabled: false } } } });
    expect(plugin('p')).toMatchObject({ status: 'disabled', needsConsent: { why: 'files-changed' } });
  },
});
