import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'session state is either set or unset',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('patch', { sessionKey })).rejects.toThrow(
      'plugin session extension cannot specify both unset and value',
    );
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({});
  },
});
