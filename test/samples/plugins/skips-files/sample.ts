import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'declarations, tests, backups and disabled folders are no plugins',
  check({ manager, marks }) {
    expect(manager.plugins()).toEqual([]);
    expect(marks).toEqual([]);
  },
});
