import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the loggers of the SDK take the secrets out, too',
  env: { MY_KEY: 's3cret-value' },
  config: { entries: { p: { config: { key: { env: 'MY_KEY' } } } } },
  check({ log, plugin }) {
    expect(plugin('p').status).toBe('loaded');
    const said = log.lines.map(({ message }) => message).filter((message) => message.includes(' net'));
    expect(said.join()).toContain('key is [key removed]');
    expect(said.join()).not.toContain('s3cret-value');
  },
});
