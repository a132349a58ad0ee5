import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'beforeLLMRequest judges what the user said once a turn, before the model and the transcript get it; of what is blocked nothing stays',
  async check({ say, marks, session, stored }) {
    const turn = await say('read it', [
      { toolCalls: [{ name: 'ls', arguments: {} }] },
      { expect: { userText: 'read it, please' }, text: 'Done.' },
    ]);
    expect(turn.asked).toHaveLength(2);
    expect(marks).toEqual(['asked about read it']);
    expect(session.messages()[0]).toMatchObject({ content: [{ type: 'text', text: 'read it, please' }] });

    const blocked = await say('my password is hunter2', [{ text: 'never asked' }]);
    expect(blocked.outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'guard',
      text: 'Not with my password is hunter2, please.',
      httpStatus: 401,
    });
    expect(blocked.asked).toEqual([]);
    expect(await stored()).not.toContain('hunter2');
  },
});
