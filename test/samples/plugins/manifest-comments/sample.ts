import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest with comments and trailing commas is read, with a warning',
  check({ plugin, found }) {
    expect(plugin('relaxed').status).toBe('loaded');
    expect(found('plugin_manifest_odd', 'relaxed')).toMatchObject([{ level: 'warn' }]);
  },
});
