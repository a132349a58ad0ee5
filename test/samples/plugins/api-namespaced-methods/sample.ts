import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'newer names such as api.lifecycle.registerRuntimeLifecycle register the same as the flat ones',
  check({ plugin }) {
    expect(plugin('newer').registrations).toEqual({ 'session extension': ['review'], lifecycle: ['db'] });
    expect(plugin('newer').diagnostics).toEqual([]);
  },
});
