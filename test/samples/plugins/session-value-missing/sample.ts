import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'session state needs a value unless it is unset',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('patch', { sessionKey })).rejects.toThrow(
      'plugin session extension value is required unless unset is true',
    );
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({});
  },
});
