import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the first plugin that names a provider or a model wins, each field for itself',
  mayRead: ['first', 'second'],
  async check({ say }) {
    const { events } = await say('hi', done);
    expect(events[0]).toMatchObject({
      type: 'run_started',
      model: { provider: 'pincer', model: 'built-in' },
    });
  },
});
