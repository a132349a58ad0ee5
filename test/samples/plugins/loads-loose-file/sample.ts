import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a file that stands alone in the plugins folder is a plugin',
  async check({ plugin, runTool }) {
    expect(plugin('loose').status).toBe('loaded');
    expect(await runTool('ping')).toBe('pong');
  },
});
