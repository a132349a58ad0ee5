import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the model that before_model_resolve names answers the turn',
  mayRead: ['chooser'],
  async check({ say }) {
    const { events, asked } = await say('hi', done);
    expect(events[0]).toMatchObject({
      type: 'run_started',
      model: { provider: 'pincer', model: 'built-in' },
    });
    expect(asked).toEqual([]);
  },
});
