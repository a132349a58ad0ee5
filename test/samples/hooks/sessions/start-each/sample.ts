import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'two sessions are two starts and two ends',
  async check({ runtime, session, say, sayTo, marks }) {
    await say('one', done);
    const other = runtime.conversations.create();
    await sayTo('two', [done], { session: other });
    await runtime.stop('shutdown');
    const ends = [`end ${session.id}`, `end ${other.id}`];
    expect(marks).toEqual([`start ${session.id}`, `start ${other.id}`, ...ends]);
  },
});
