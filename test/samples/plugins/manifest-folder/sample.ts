import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a folder in the place of a manifest is an error, no crash',
  check({ plugin }) {
    expect(plugin('p').error).toMatch(/^failed to parse plugin manifest: .* is not a regular file/u);
  },
});
