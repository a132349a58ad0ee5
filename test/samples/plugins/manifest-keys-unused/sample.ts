import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'keys of the manifest that have no effect are named, a plugin of requiresPlugins that does not run is a warning, and a command alias may be a text',
  config: { allow: ['many', 'base', 'dreaming', 'waking'] },
  async check({ found, load }) {
    expect(found('plugin_manifest_unused')).toMatchObject([
      {
        level: 'info',
        pluginId: 'many',
        message: 'modelPricing, cliCommands, nonsense: no effect here',
        line: 8,
      },
    ]);
    const missing = (names: string): object[] => [
      {
        level: 'warn',
        pluginId: 'many',
        message: `plugin many needs plugins that do not run: ${names}`,
        line: 4,
      },
    ];
    expect(found('plugin_requires_missing')).toMatchObject(missing('gone'));
    expect(found('plugins_allow_command')).toMatchObject([{ pluginId: 'many' }, { pluginId: 'many' }]);
    expect(found('plugin_manifest_odd')).toEqual([]);
    await load({ config: { deny: ['base'] } });
    expect(found('plugin_requires_missing')).toMatchObject(missing('base, gone'));
    await load({ config: { deny: ['many'] } });
    expect(found('plugin_requires_missing')).toEqual([]);
  },
});
