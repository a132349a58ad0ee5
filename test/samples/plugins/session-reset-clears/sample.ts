import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a reset session loses what plugins kept of it, after they cleaned up',
  async check({ manager, marks, runTool, sessionKey, sessionState }) {
    await runTool('keep', { sessionKey });
    await manager.endSession({ id: sessionKey.split(':').at(-1) ?? '', key: sessionKey }, 'reset');
    expect(marks).toEqual(['reset true']);
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({});
    expect(await drainInjections(sessionState, sessionKey, () => true)).toEqual([]);
  },
});
