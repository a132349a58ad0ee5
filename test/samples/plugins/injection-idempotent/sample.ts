import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a second injection with the same idempotency key is not queued and gives the id of the first',
  async check({ runTool, sessionKey, sessionState }) {
    expect(await runTool('queue', { sessionKey })).toBe('{"one":true,"two":false,"same":true}');
    expect(await drainInjections(sessionState, sessionKey, () => true)).toMatchObject([{ text: 'a' }]);
  },
});
