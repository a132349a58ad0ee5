import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that registers 10 000 tools loads, and each of them runs',
  async check({ manager, plugin, runTool }) {
    expect(plugin('many').toolNames).toHaveLength(10_000);
    expect(manager.tools({})).toHaveLength(10_000);
    expect(await runTool('tool_9999')).toBe('9999');
  },
});
