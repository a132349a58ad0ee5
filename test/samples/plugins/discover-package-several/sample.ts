import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'each entry of a package with several is a plugin of its own, named package/entry',
  check({ manager }) {
    const found = manager.plugins().map(({ id, status, diagnostics }) => [id, status, diagnostics.length]);
    expect(found).toEqual([
      ['pack/one', 'loaded', 0],
      ['pack/two', 'loaded', 0],
    ]);
  },
});
