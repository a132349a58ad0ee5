import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that deletes or replaces built-ins hurts neither the host nor other plugins, and is named',
  async check({ plugin, found, runTool }) {
    expect(await runTool('work')).toBe('[2,3]');
    expect('polluted' in {}).toBe(false);
    expect(found('plugin_changed_globals').map(({ message }) => message)).toEqual([
      'plugin changed structuredClone of the whole process; it was put back',
      'plugin changed Object.prototype.polluted, Array.prototype.map, JSON.parse of the whole process; it was put back',
    ]);
    expect(plugin('a-wrecker').status).toBe('loaded');
  },
});
