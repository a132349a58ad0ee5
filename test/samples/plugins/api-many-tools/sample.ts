import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that registers 10 000 tools by names that it computes loads, and each of them runs once that is agreed to',
  async check({ manager, plugin, runTool }) {
    const { heldBack } = plugin('many');
    expect(heldBack).toHaveLength(10_000);
    await manager.allowRegistrations('many', heldBack);
    expect(plugin('many').toolNames).toHaveLength(10_000);
    expect(manager.tools({})).toHaveLength(10_000);
    expect(await runTool('tool_9999')).toBe('9999');
  },
});
