import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'session state must be JSON-compatible',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('patch', { sessionKey })).rejects.toThrow(
      'plugin session extension value must be JSON-compatible',
    );
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({});
  },
});
