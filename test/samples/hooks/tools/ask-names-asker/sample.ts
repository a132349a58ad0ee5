import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "a plugin can not ask in another's name",
  answer: 'deny',
  async check({ say }) {
    const { questions } = await say('read', readA, done);
    expect(questions[0]?.askers).toEqual(['asker']);
  },
});
