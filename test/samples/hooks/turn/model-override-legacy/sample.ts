import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the older before_agent_start may name the model, too, where before_model_resolve names none',
  async check({ say }) {
    const { events } = await say('hi', done);
    expect(events[0]).toMatchObject({
      type: 'run_started',
      model: { provider: 'pincer', model: 'built-in' },
    });
  },
});
