import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'who owns a workspace does not matter: its plugins run by consent to their bytes',
  disk: (real) => ({
    ...real,
    async stat(path) {
      const stat = await real.stat(path);
      return stat === undefined || !path.endsWith('/p') ? stat : { ...stat, uid: 54321 };
    },
  }),
  check({ marks }) {
    expect(marks).toEqual(['p']);
  },
});
