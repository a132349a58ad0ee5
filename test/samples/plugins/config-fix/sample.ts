import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings that are refused point at the schema in the manifest and offer the form',
  config: { entries: { p: { config: { extra: true } } } },
  check({ found, plugin }) {
    expect(found('plugin_config_invalid', 'p')).toMatchObject([
      {
        source: plugin('p').manifestPath,
        line: 3,
        fixes: [{ kind: 'configure-plugin', pluginId: 'p' }],
      },
    ]);
  },
});
