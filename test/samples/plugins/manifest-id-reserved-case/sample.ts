import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "the program's own names and those of operator hooks are refused in any case",
  check({ marks, plugin }) {
    expect(['a', 'b', 'c'].map((id) => plugin(id).error)).toEqual(
      ['Host', 'CORE', 'Hook:x'].map((id) => `plugin manifest id "${id}" is reserved`),
    );
    expect(marks).toEqual([]);
  },
});
