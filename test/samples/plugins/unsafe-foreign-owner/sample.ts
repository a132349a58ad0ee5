import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin of your own that belongs to another user is refused',
  disk: (real) => ({
    ...real,
    async stat(path) {
      const stat = await real.stat(path);
      return stat === undefined || !path.endsWith('/p') ? stat : { ...stat, uid: 54321 };
    },
  }),
  check({ marks, found }) {
    expect(marks).toEqual([]);
    expect(found('plugin_candidate_blocked')[0]?.message).toMatch(
      /suspicious ownership \(.*p, uid=54321, expected uid=\d+ or root\)$/u,
    );
  },
});
