import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_model_resolve gets the prompt and what is attached, and no history',
  mayRead: ['chooser'],
  async check({ say, marks }) {
    await say('first', done);
    await say('second', done);
    expect(marks).toEqual([
      { prompt: 'first', attachments: [], context: { pluginConfig: {} } },
      { prompt: 'second', attachments: [], context: { pluginConfig: {} } },
    ]);
  },
});
