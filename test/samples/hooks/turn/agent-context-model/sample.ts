import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the context names the model that before_model_resolve chose',
  mayRead: ['chooser'],
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['replay', 'pincer']);
  },
});
