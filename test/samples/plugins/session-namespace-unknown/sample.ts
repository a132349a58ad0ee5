import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'session state can be kept only in a registered namespace',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('patch', { sessionKey })).rejects.toThrow(
      'unknown plugin session extension: keeper/other',
    );
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({});
  },
});
