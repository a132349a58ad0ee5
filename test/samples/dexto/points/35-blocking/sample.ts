import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'of two plugins that do the same the blocking one stops the turn and the other does not; a stop comes with what was changed before it',
  async check({ say, trace, stored, session }) {
    const free = await say('watch this');
    expect(free.outcome.status).toBe('completed');
    expect(free.sent).toContain('watch this');
    const held = await say('guard this');
    expect(held.outcome).toMatchObject({ status: 'blocked', pluginId: 'guard', text: 'Not this.' });
    expect(held.asked).toEqual([]);
    expect(await stored()).not.toContain('guard this');
    expect(JSON.stringify(session.messages())).not.toContain('guard this');
    const points = (await trace()).lines.filter(({ kind }) => kind === 'point');
    expect(points).toMatchObject([
      { pluginId: 'watcher', outcome: 'ignored' },
      { pluginId: 'guard', outcome: 'blocked' },
    ]);
  },
});
