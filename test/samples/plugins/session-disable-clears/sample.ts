import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that is switched off loses what it kept of sessions; another keeps its own',
  async check({ load, marks, runTool, sessionKey, sessionState }) {
    await runTool('keep', { sessionKey });
    await runTool('keep_too', { sessionKey });
    await load({ config: { deny: ['keeper'] } });
    expect(marks).toEqual(['disable false']);
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({ other: { mine: 1 } });
    const waiting = await drainInjections(sessionState, sessionKey, () => true);
    expect(waiting.map(({ pluginId }) => pluginId)).toEqual(['other']);
  },
});
