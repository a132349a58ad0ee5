import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that can not be loaded displaces no other of its id',
  check({ marks, manager }) {
    expect(marks).toEqual(['bundled']);
    expect(manager.plugins().map(({ status }) => status)).toEqual(['loaded', 'error']);
  },
});
