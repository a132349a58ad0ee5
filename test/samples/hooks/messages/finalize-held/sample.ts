import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'while a plugin may ask for a revision, the draft is not shown either',
  mayRead: ['editor'],
  async check({ say }) {
    const { events } = await say('hi', { text: 'draft' }, { text: 'final' });
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['final']);
  },
});
