import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'plugins stand in one list with all others: dialect, place in the file, points with band and order, how often they were called and what they said',
  openclaw: {
    neighbour: 'export default { id: "neighbour", register(api) { api.on("before_tool_call", () => {}); } };',
  },
  async check({ say, plugin, runtime, agentDir, marks }) {
    await say('Hello');
    const ids = runtime.plugins.plugins().map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['neighbour', 'dexto:one', 'dexto:two']));
    expect(plugin('two')).toMatchObject({
      ...{ name: 'two', status: 'loaded', manifestPath: join(agentDir, 'agent.yml') },
      dexto: {
        ...{ line: 4, isBuiltIn: false, blocking: true, priority: 2 },
        points: [
          { point: 'beforeLLMRequest', position: 2, of: 2, band: 'before OpenClaw' },
          { point: 'beforeToolCall', position: 1, of: 1, band: 'after OpenClaw' },
        ],
        profile: {
          points: [{ point: 'beforeLLMRequest', calls: 1, changed: 1, failed: 0 }],
          notices: [{ code: 'TOLD', message: 'hello', point: 'beforeLLMRequest' }],
        },
      },
    });
    // Plugins themselves get the list from the state manager.
    expect(marks).toEqual([JSON.stringify(['one', 'two'])]);
  },
});
