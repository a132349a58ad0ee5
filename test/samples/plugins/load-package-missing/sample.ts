import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin whose package is not installed is an error that says where to install',
  check({ plugin, found, folderOf }) {
    expect(plugin('needy').status).toBe('error');
    expect(found('plugin_load_failed', 'needy')[0]?.hint).toContain(folderOf('needy'));
  },
});
