import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'that a gate passed or a plugin claimed the answer is a decision, too',
  mayRead: ['gate'],
  async check({ say, traced }) {
    await say('hi', done);
    expect(await traced()).toEqual(['gate before_agent_run passed', 'gate before_agent_reply claimed']);
  },
});
