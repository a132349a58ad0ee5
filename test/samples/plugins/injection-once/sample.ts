import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a next-turn injection is drained once, oldest first',
  async check({ runTool, sessionKey, sessionState }) {
    await runTool('queue', { sessionKey });
    const waiting = await sessionState.drain(sessionKey, () => true);
    expect(waiting.map(({ text, placement, pluginId }) => [text, placement, pluginId])).toEqual([
      ['first', 'prepend_context', 'queuer'],
      ['second', 'prepend_context', 'queuer'],
    ]);
    expect(await sessionState.drain(sessionKey, () => true)).toEqual([]);
  },
});
