import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'registerTool takes one tool, a list of tools, or nothing at all',
  async check({ plugin, found, runTool }) {
    expect(plugin('kit').toolNames).toEqual(['first', 'second']);
    expect(await runTool('second')).toBe('2');
    expect(found('plugin_tool_malformed', 'kit')).toEqual([]);
    expect(
      found('plugin_registration_unused', 'kit').map(({ level, message }) => `${level}: ${message}`),
    ).toEqual([
      'info: registerTool was given no tool, so none is registered',
      'info: registerTool was given no tool, so none is registered',
    ]);
  },
});
