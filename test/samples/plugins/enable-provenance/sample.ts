import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin of the home folder without an install record says so, one with a record does not',
  check({ found }) {
    expect(found('plugin_without_provenance').map(({ pluginId }) => pluginId)).toEqual(['p']);
  },
});
