import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a reload keeps what a plugin stored of sessions, and cleans up with restart',
  async check({ manager, marks, runTool, sessionKey, sessionState }) {
    await runTool('keep', { sessionKey });
    await manager.reload('keeper');
    expect(marks).toEqual(['restart false']);
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({ keeper: { review: 1 } });
  },
});
