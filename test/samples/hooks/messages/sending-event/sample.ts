import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_sending gets the whole answer and who it is for',
  async check({ say, marks }) {
    await say('hi', { text: ['Do', 'ne.'] });
    expect(marks).toEqual([{ to: 'user', content: 'Done.', context: { pluginConfig: {} } }]);
  },
});
