import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry outside of its package never runs',
  prepare: (root) => cp(join(root, 'config/outside.ts.bak'), join(root, 'outside.ts')),
  check({ marks, found }) {
    expect(marks).toEqual([]);
    expect(found('plugin_entry_escapes')[0]?.message).toBe(
      'extension entry escapes package directory: ../outside.ts',
    );
  },
});
