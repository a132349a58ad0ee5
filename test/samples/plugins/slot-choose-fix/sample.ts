import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that a slot keeps out can be chosen from its diagnostic',
  check({ found }) {
    expect(found('plugin_disabled', 'b')[0]?.fixes).toEqual([
      { kind: 'choose-slot', slot: 'memory', pluginId: 'b' },
    ]);
  },
});
