import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'others see of session state what project makes of it; one that fails is left out and named',
  async check({ manager, found, runTool, sessionKey }) {
    await runTool('fill', { sessionKey });
    expect(await manager.sessionExtensions(sessionKey)).toEqual({ shown: { raw: [1], short: 3 } });
    expect(found('plugin_projection_failed', 'shown').map(({ message }) => message)).toEqual([
      'session extension late of plugin shown failed: project must not return a promise',
      'session extension bad of plugin shown failed: no view',
    ]);
  },
});
