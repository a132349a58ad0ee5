import { expect } from 'vitest';
import type { PluginsConfig } from '../../../../src/plugins/pluginTypes.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'settings that a workspace brings never get at your secrets',
  env: { MY_KEY: 'from env' },
  config: {
    workspace: {
      enabled: true,
      allow: [],
      deny: [],
      entries: { p: { config: { key: { env: 'MY_KEY' } } } },
      named: ['p'],
    } satisfies PluginsConfig['workspace'],
  },
  check({ plugin, marks }) {
    expect(marks).toEqual([]);
    expect(plugin('p').error).toContain('only your own config may refer to secrets');
  },
});
