import { rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { writeRecord } from '../installRecord.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an install record that is no JSON object, a link, or of another folder or id is none',
  async prepare(root) {
    const home = join(root, 'home');
    const recordOf = (id: string): string => join(home, 'installs', `p-${id}.json`);
    for (const id of ['a', 'b', 'd', 'other']) await writeRecord(home, id, join(home, 'plugins', id));
    await writeFile(recordOf('a'), '[]');
    await rename(recordOf('b'), join(home, 'record.json'));
    await symlink('../record.json', recordOf('b'));
    await writeRecord(home, 'c', join(home, 'plugins', 'other'));
    await rename(recordOf('other'), recordOf('d'));
  },
  check({ marks }) {
    expect(marks.toSorted()).toEqual(['a bundled', 'b bundled', 'c bundled', 'd bundled']);
  },
});
