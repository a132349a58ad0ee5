import { join } from 'node:path';
import { expect } from 'vitest';
import { writeRecord } from '../installRecord.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin of the home folder without an install record says so, one with a record does not',
  prepare: (root) => writeRecord(join(root, 'home'), 'q', join(root, 'home/plugins/q')),
  check({ found }) {
    expect(found('plugin_without_provenance').map(({ pluginId }) => pluginId)).toEqual(['p']);
  },
});
