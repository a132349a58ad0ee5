import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'a block, a claim, an unknown model and a model that fails consume no queued text; the turn whose prompt a model reads does',
  mayRead: ['queuer'],
  async check({ runtime, session, say }) {
    await runtime.plugins.findCommand('/queue')?.run(session);
    const outcomes = [];
    for (const word of ['block', 'claim', 'elsewhere']) outcomes.push((await say(word, done)).outcome.status);
    const failed = await say('fail', { error: { code: 'model_offline', message: 'away' } });
    expect([...outcomes, failed.outcome.status]).toEqual(['blocked', 'completed', 'failed', 'failed']);
    const read = await say('go', done);
    expect(textOf(read.asked[0]?.messages.at(-1))).toBe('queued\ngo');
    const next = await say('on', done);
    expect(JSON.stringify(next.asked)).not.toContain('queued');
  },
});
