import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: "hidden characters in a model's parameters leave no always to choose",
  answer: 'deny',
  async check({ say }) {
    const { questions } = await say('read', call('write', { path: 'b.md', content: 'a\u202eb' }), done);
    expect(questions[0]?.decisions).toEqual(['allow-once', 'deny']);
  },
});
