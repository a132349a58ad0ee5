import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'whatever a tool returns becomes a result, and what it throws names the tool',
  async check({ runTool }) {
    expect(await runTool('echo', { value: 'plain' })).toBe('plain');
    expect(await runTool('echo', { value: { a: 1 } })).toBe('{"a":1}');
    expect(await runTool('echo', { value: { content: 'text' } })).toBe('text');
    expect(await runTool('echo')).toBe('The tool returned nothing.');
    await expect(runTool('echo', { fail: true })).rejects.toMatchObject({
      code: 'plugin_tool_failed',
      message: 'a text',
    });
  },
});
