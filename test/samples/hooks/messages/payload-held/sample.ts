import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'while a plugin listens to reply_payload_sending, no streamed text is shown before it has judged the answer',
  async check({ say }) {
    const { events } = await say('hi', { text: ['Do', 'ne.'] });
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['Done.']);
  },
});
