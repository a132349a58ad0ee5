import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin can have 32 injections waiting in a session, not more',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('queue', { sessionKey })).rejects.toThrow('already has 32 texts waiting');
    expect(await drainInjections(sessionState, sessionKey, () => true)).toHaveLength(32);
  },
});
