import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a syntax error names the file, line and column',
  check({ plugin }) {
    expect(plugin('p').error).toMatch(/broken\.ts:2:\d+ /u);
  },
});
