import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'CommonJS that requires a module that awaits is told to import it',
  check({ plugin, marks }) {
    expect(plugin('p').error).toContain('Use import() instead');
    expect(marks).toEqual(['once']);
  },
});
