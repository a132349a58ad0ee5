import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'agent_end of a failed run has its error',
  mayRead: ['reader'],
  async check({ say, marks }) {
    await say('hi', { error: { code: 'model_unauthorized', message: 'The key is wrong.' } });
    expect(marks).toMatchObject([{ success: false, error: 'The key is wrong.' }]);
  },
});
