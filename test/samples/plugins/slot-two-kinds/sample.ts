import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin of two kinds runs for the slot it may fill',
  config: { slots: { memory: 'mem', contextEngine: 'both' } },
  check({ plugin }) {
    expect(plugin('both').status).toBe('loaded');
    expect(plugin('engine').reason).toBe('contextEngine slot set to "both"');
    expect(plugin('mem').status).toBe('loaded');
  },
});
