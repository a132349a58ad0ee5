import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a lifecycle hears why its plugin ends, newest registration first; one that fails hurts no other',
  async check({ load, marks, log, found }) {
    expect(found('plugin_registration_refused', 'holder').map(({ message }) => message)).toEqual([
      'runtime lifecycle already registered: three',
      'runtime lifecycle registration requires id and cleanup() or dispose()',
    ]);
    await load({ config: { deny: ['holder'] } });
    expect(marks).toEqual(['three disable', 'three disposed', 'one disable']);
    expect(log.lines.map(({ message }) => message)).toContain(
      'cleanup of lifecycle two of plugin holder failed: stuck',
    );
  },
});
