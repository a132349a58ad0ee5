import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the user is offered what all askers allow, unknown words left out, and always a no',
  answer: 'deny',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    expect(questions[0]?.decisions).toEqual(['allow-once', 'deny']);
  },
});
