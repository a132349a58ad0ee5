import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that belongs to root is as good as your own',
  disk: (real) => ({
    ...real,
    async stat(path) {
      const stat = await real.stat(path);
      return stat === undefined || !path.endsWith('/p') ? stat : { ...stat, uid: 0 };
    },
  }),
  check({ marks }) {
    expect(marks).toEqual(['p']);
  },
});
