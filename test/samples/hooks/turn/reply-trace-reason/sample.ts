import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the reason of a plugin that answered is in the trace',
  mayRead: ['parrot'],
  async check({ runtime, session, say }) {
    await say('hi', done);
    expect(JSON.stringify(await runtime.turns.traces.last(session.key))).toContain('I know this');
  },
});
