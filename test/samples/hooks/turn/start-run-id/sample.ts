import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_agent_start and agent_end name the same run in event and context',
  mayRead: ['reader'],
  async check({ say, marks }) {
    const { events } = await say('one', done);
    const started = events.find((event) => event.type === 'run_started');
    expect(marks).toEqual(Array(4).fill(started?.runId));
  },
});
