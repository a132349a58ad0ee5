import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an id that is the name of an object method is an id like any other',
  check({ marks, plugin }) {
    expect(marks).toEqual(['constructor', '../../dots']);
    expect(plugin('../../dots').status).toBe('loaded');
  },
});
