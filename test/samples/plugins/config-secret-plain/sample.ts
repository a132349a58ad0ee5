import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a secret in plain text is a warning that does not repeat it; a reference is none',
  env: { MY_KEY: 's3cret-value' },
  config: { entries: { p: { config: { key: 's3cret-value' } } } },
  async check({ found, load, log, manager }) {
    expect(found('plugin_config_plain_secret', 'p')).toMatchObject([
      { level: 'warn', fixes: [{ kind: 'configure-plugin', pluginId: 'p' }] },
    ]);
    expect(JSON.stringify([log.lines, manager.diagnostics()])).not.toContain('s3cret-value');
    await load({ config: { entries: { p: { config: { key: { env: 'MY_KEY' } } } } } });
    expect(found('plugin_config_plain_secret', 'p')).toEqual([]);
  },
});
