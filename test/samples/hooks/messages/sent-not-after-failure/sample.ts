import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'an answer that failed is not sent',
  async check({ say, marks }) {
    await say('hi', { error: { code: 'model_unavailable', message: 'gone' } });
    expect(marks).toEqual([]);
  },
});
