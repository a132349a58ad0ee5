import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a cleanup that never ends is left behind after five seconds',
  speed: 100,
  async check({ load, plugin, log }) {
    await load({ config: { deny: ['stuck'] } });
    expect(plugin('stuck').status).toBe('disabled');
    expect(log.lines.map(({ message }) => message)).toContain(
      'cleanup of lifecycle stuck of plugin stuck failed: timed out after 5000ms',
    );
  },
});
