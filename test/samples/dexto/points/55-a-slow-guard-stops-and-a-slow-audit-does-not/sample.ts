import { expect } from 'vitest';
import { sample, type PointTurn } from '../pointSample.ts';

export default sample({
  rule: 'a blocking plugin that takes too long stops the turn, another one stops nothing, and what comes after the time counts for nothing',
  speed: 20,
  async check({ runtime, say, marks, plugin }) {
    const turnOf = (tenantId: string): Promise<PointTurn> =>
      runtime.conversations.withTenant({ tenantId }, () =>
        say('go', [{ text: 'Done.' }], { session: runtime.conversations.create() }),
      );
    expect((await turnOf('quick')).outcome).toEqual({ status: 'completed', text: 'Done.' });
    const slow = await turnOf('slow');
    expect(slow.outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'tenants',
      text: 'The plugin tenants took longer than 2000 ms, so the message was not sent.',
    });
    expect(slow.asked).toEqual([]);
    expect(marks).toEqual(['audit was told to stop', 'audit was told to stop']);
    expect(plugin('audit').dexto?.profile?.points).toMatchObject([{ calls: 2, timedOut: 2, blocked: 0 }]);
  },
});
