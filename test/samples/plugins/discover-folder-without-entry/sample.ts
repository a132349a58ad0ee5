import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a folder with a manifest but no entry is an error that says what to add',
  check({ found }) {
    const [first] = found('plugin_entry_missing');
    expect(first?.message).toContain('plugin has a manifest but no entry file');
    expect(first?.hint).toContain('index.mts');
  },
});
