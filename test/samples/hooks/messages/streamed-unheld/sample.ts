import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'text is shown as it arrives where no plugin must see it first',
  async check({ say }) {
    const { events } = await say('hi', { text: ['Do', 'ne.'] });
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['Do', 'ne.']);
  },
});
