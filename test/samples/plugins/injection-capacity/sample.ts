import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin can have 32 injections waiting in a session, not more',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('queue', { sessionKey })).rejects.toThrow('already has 32 texts waiting');
    expect(await sessionState.drain(sessionKey, () => true)).toHaveLength(32);
  },
});
