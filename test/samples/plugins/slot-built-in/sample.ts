import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "upstream's names for the built-in memory and context engine need no plugin",
  config: { slots: { memory: 'memory-core', contextEngine: 'legacy' } },
  check({ found }) {
    expect(found('plugin_slot_empty')).toEqual([]);
  },
});
