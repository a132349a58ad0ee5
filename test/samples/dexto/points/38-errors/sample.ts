import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the errors of the dialect carry code, plugin, point and notices; one that a blocking plugin throws is a block with its words, notices and status, and plugins hear of it',
  async check({ say, marks, session, plugin }) {
    const { results, outcome } = await say('Hello', [
      { toolCalls: [{ name: 'ls', arguments: {} }] },
      { text: 'Hi.' },
    ]);
    expect(marks).toEqual([
      'DextoPluginError PLUGIN_BLOCKED_EXECUTION guard beforeToolCall UNAUTHORIZED',
      'plugin:blocked guard beforeToolCall PLUGIN_BLOCKED_EXECUTION 401 not this tool',
    ]);
    expect(results).toEqual([expect.stringContaining('not this tool')]);
    expect(outcome.status).toBe('completed');
    expect(JSON.stringify(session.messages())).toContain('not this tool');
    expect(results.join()).not.toContain('failed');
    const profile = plugin('guard').dexto?.profile;
    expect(profile?.lastFailure).toBeUndefined();
    expect(profile?.points).toMatchObject([{ point: 'beforeToolCall', blocked: 1, failed: 0 }]);
  },
});
