import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that does not run fills no slot',
  config: { entries: { a: { enabled: false } } },
  check({ plugin }) {
    expect(plugin('b').status).toBe('loaded');
  },
});
