import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a schema of another dialect is read as draft-07, with one warning at its line',
  config: { entries: { p: { config: { a: 1 } } } },
  check({ marks, found }) {
    expect(marks).toEqual(['{"a":1}']);
    expect(found('plugin_config_schema_odd', 'p')).toMatchObject([{ line: 3 }]);
  },
});
