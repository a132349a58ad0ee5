import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'where the host has no memory, a memory plugin gets none of its tools and loads all the same',
  check({ manager, plugin, found }) {
    expect(plugin('notes').status).toBe('loaded');
    expect(manager.tools({})).toEqual([]);
    expect(found('plugin_tool_failed')).toEqual([]);
  },
});
