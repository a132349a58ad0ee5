import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a folder with neither manifest nor entry is no plugin and no problem',
  check({ manager }) {
    expect(manager.plugins()).toEqual([]);
    expect(manager.diagnostics()).toEqual([]);
  },
});
