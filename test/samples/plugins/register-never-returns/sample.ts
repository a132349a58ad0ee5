import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a register that never settles is dropped after 30 seconds',
  speed: 1000,
  check({ plugin, manager }) {
    expect(plugin('stuck')).toMatchObject({
      status: 'error',
      error: 'plugin failed during register: timed out after 30000ms',
    });
    expect(manager.tools({})).toEqual([]);
    expect(plugin('good').status).toBe('loaded');
  },
});
