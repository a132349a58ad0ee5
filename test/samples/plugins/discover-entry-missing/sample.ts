import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry that is not there is named; plugins beside it load',
  check({ marks, found }) {
    expect(marks).toEqual(['other']);
    expect(found('plugin_entry_not_found')[0]?.message).toBe('extension entry not found: ./gone.js');
  },
});
