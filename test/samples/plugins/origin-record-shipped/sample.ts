import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { writeRecord } from '../installRecord.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package that brings an install record of its own does not take the place of a bundled guard',
  async prepare(root) {
    const home = join(root, 'home');
    const shipped = join(home, 'plugins/nice-tool');
    const elsewhere = join(home, '.openclaw/extensions/guard');
    const record = { version: 1, id: 'guard', source: '/from', installedAt: '', hash: 'x' };
    await writeFile(join(shipped, '.pincer-install.json'), JSON.stringify({ ...record, folder: shipped }));
    await cp(shipped, elsewhere, { recursive: true });
    await writeRecord(shipped, 'guard', shipped);
    // Nothing is ever installed there.
    await writeRecord(join(home, '.openclaw'), 'guard', elsewhere);
    // An install of that id that is gone.
    await writeRecord(home, 'guard', join(home, 'plugins/guard'));
  },
  check({ marks, manager }) {
    expect(marks).toEqual(['bundled']);
    expect(manager.plugins().map(({ origin, enabled }) => [origin, enabled])).toEqual([
      ['bundled', true],
      ['global', false],
      ['global', false],
    ]);
  },
});
