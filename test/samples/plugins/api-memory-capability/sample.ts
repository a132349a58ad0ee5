import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'only a memory plugin can register a memory capability; for another one that is a throw in register',
  check({ manager, plugin }) {
    expect(plugin('store').registrations).toEqual({ 'memory capability': ['promptBuilder'] });
    expect(plugin('thief')).toMatchObject({
      status: 'error',
      error: 'plugin failed during register: only memory plugins can register a memory capability',
    });
    expect(manager.tools({})).toEqual([]);
  },
});
