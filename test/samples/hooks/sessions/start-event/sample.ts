import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'session_start fires with the first turn of a session, and only then',
  async check({ session, say, marks }) {
    await say('one', done);
    await say('two', done);
    expect(marks).toEqual([
      { sessionId: session.id, sessionKey: session.key, context: { pluginConfig: {} } },
      { agentId: 'main', sessionId: session.id, sessionKey: session.key },
    ]);
  },
});
