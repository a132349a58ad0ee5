import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'session state can be kept only of a session that exists',
  async check({ runTool, sessionKey, sessionState }) {
    await expect(runTool('patch', { sessionKey })).rejects.toThrow('unknown session key: agent:main:nobody');
    expect(await sessionState.list(sessionKey.slice(-36))).toEqual({});
  },
});
