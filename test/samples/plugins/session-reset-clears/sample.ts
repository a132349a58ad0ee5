import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a reset session loses what plugins kept of it, after they cleaned up',
  async check({ manager, marks, runTool, sessionKey, sessionState }) {
    await runTool('keep', { sessionKey });
    await manager.endSession(sessionKey, 'reset');
    expect(marks).toEqual(['reset true']);
    expect(await sessionState.list(sessionKey)).toEqual({});
    expect(await drainInjections(sessionState, sessionKey, () => true)).toEqual([]);
  },
});
