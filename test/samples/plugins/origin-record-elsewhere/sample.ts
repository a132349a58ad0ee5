import { join } from 'node:path';
import { expect } from 'vitest';
import { writeRecord } from '../installRecord.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace that brings an install record gains nothing by it',
  prepare: (root) =>
    writeRecord(join(root, 'workspace/.pincer'), 'p', join(root, 'workspace/.pincer/plugins/p')),
  check({ marks }) {
    expect(marks).toEqual(['bundled']);
  },
});
