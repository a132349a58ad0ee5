import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pluginFolderName } from '../../../../src/plugins/pluginFolderName.ts';
import { writeRecord } from '../installRecord.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'all plugins of a package that was installed count as installed',
  async prepare(root) {
    const home = join(root, 'home');
    await rename(join(home, 'plugins/pack'), join(home, 'plugins', pluginFolderName('pack/one')));
    await writeRecord(home, 'pack/one', join(home, 'plugins', pluginFolderName('pack/one')));
  },
  check({ marks, found }) {
    expect(marks.toSorted()).toEqual(['one', 'two']);
    expect(found('plugin_without_provenance')).toEqual([]);
  },
});
