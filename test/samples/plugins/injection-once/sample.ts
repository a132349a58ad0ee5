import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a next-turn injection is drained once, oldest first',
  async check({ runTool, sessionKey, sessionState }) {
    await runTool('queue', { sessionKey });
    const waiting = await drainInjections(sessionState, sessionKey, () => true);
    expect(waiting.map(({ text, placement, pluginId }) => [text, placement, pluginId])).toEqual([
      ['first', 'prepend_context', 'queuer'],
      ['second', 'prepend_context', 'queuer'],
    ]);
    expect(await drainInjections(sessionState, sessionKey, () => true)).toEqual([]);
  },
});
