import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a secret that is not there stops the plugin and is named',
  config: {
    entries: {
      p: {
        config: {
          key: { env: 'MY_KEY' },
          list: [{ secret: 'mine' }, { source: 'exec', provider: 'vault', id: 'op' }],
        },
      },
    },
  },
  check({ plugin, marks }) {
    expect(marks).toEqual([]);
    expect(plugin('p').error).toBe(
      'invalid config: key: environment variable MY_KEY is not set; list.0: secret "mine" is not set; list.1: secret reference exec op is not supported; use { "secret": "name" } or { "env": "NAME" }',
    );
  },
});
