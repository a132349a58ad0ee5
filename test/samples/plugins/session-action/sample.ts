import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a session action runs on one session with a payload that fits its schema, and what it answers or why it fails is told',
  async check({ manager, plugin, sessionKey, found }) {
    const run = (payload: unknown, actionId = 'approve') =>
      manager.runSessionAction({ pluginId: 'review', actionId, sessionKey, payload });
    expect(plugin('review').registrations).toMatchObject({ 'session action': ['approve'] });
    expect(await run({ by: 'Ada' })).toEqual({ result: { reviewed: true }, reply: 'Reviewed by Ada.' });
    expect(await manager.sessionExtensions(sessionKey)).toEqual({ review: { review: { by: 'Ada' } } });
    await expect(run({})).rejects.toMatchObject({ code: 'session_action_payload' });
    await expect(run({ by: 'nobody' })).rejects.toMatchObject({ code: 'unread' });
    await expect(run({ by: 'crash' })).rejects.toThrow(
      'The session action review/approve failed: out of ink',
    );
    await expect(run({ by: 'Ada' }, 'idle')).rejects.toMatchObject({
      code: 'session_action_unknown',
      hint: 'There are: review/approve.',
    });
    expect(found('plugin_registration_refused', 'review').map(({ message }) => message)).toEqual([
      'session action already registered: approve',
      'session action registration requires id and handler',
    ]);
  },
});
