import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a resolved secret stands in no log line and no error of its plugin',
  env: { MY_KEY: 's3cret-value' },
  config: { entries: { p: { config: { key: { env: 'MY_KEY' } } } } },
  check({ plugin, log, manager }) {
    expect(plugin('p').error).toBe('plugin failed during register: refused [key removed]');
    const all = JSON.stringify([log.lines, manager.diagnostics(), manager.plugins()]);
    expect(all).toContain('key is [key removed]');
    expect(all).not.toContain('s3cret-value');
  },
});
