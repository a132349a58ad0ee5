import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the errors of the dialect carry code, plugin, point and notices; one that a blocking plugin throws is a block, and no other plugin is disturbed',
  async check({ say, marks, session, plugin }) {
    const { results, outcome } = await say('Hello', [
      { toolCalls: [{ name: 'ls', arguments: {} }] },
      { text: 'Hi.' },
    ]);
    expect(marks).toEqual([
      'DextoPluginError PLUGIN_BLOCKED_EXECUTION guard beforeToolCall TOOL_NOT_ALLOWED',
    ]);
    expect(results).toEqual([
      expect.stringContaining('The plugin guard failed, so the call was not carried out: not this tool'),
    ]);
    expect(outcome.status).toBe('completed');
    expect(JSON.stringify(session.messages())).toContain('not this tool');
    expect(plugin('guard').dexto?.profile?.lastFailure).toMatchObject({
      point: 'beforeToolCall',
      message: 'not this tool',
    });
  },
});
