import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'name and description can not hide or turn around what the user reads',
  check({ plugin }) {
    expect(plugin('p')).toMatchObject({ name: 'nice one', description: 'line two' });
  },
});
