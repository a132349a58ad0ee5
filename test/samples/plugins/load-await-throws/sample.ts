import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a module that awaits something that fails is an error with its text',
  check({ plugin }) {
    expect(plugin('p').error).toBe('failed to load plugin: too late');
  },
});
