import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an API method that does not exist here is named, and the plugin goes on (P10)',
  check({ plugin, found }) {
    expect(plugin('newer').toolNames).toEqual(['ping']);
    expect(found('plugin_method_unsupported', 'newer')[0]?.message).toContain('api.registerTeleporter');
  },
});
