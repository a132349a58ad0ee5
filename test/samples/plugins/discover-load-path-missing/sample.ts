import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a load path that is not there, and one that is no plugin, are errors',
  config: {
    load: { paths: ['/nowhere/at/all', import.meta.filename.replace(/sample\.ts$/u, 'fixture/readme.txt')] },
  },
  check({ found }) {
    expect(found('plugin_path_not_found')[0]?.message).toBe('plugin path not found: /nowhere/at/all');
    expect(found('plugin_path_unsupported')[0]?.message).toContain('plugin path is not a supported file: ');
  },
});
