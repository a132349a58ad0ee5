import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the plugin that your config names by its path wins over all others',
  check({ marks, found }) {
    expect(marks).toEqual(['config']);
    expect(found('plugin_duplicate_id')[0]?.message).toMatch(
      /^duplicate plugin id resolved by explicit config-selected plugin; bundled plugin will be overridden by config plugin \(/u,
    );
  },
});
