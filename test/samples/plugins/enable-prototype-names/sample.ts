import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings for __proto__ are settings of no plugin',
  config: { entries: JSON.parse('{ "__proto__": { "enabled": false } }') as Record<string, never> },
  check({ marks }) {
    expect(marks).toEqual(['p']);
  },
});
