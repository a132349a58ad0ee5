import { expect } from 'vitest';
import { sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'a revision tells the model the reason, an empty line and the instruction; the draft is neither shown nor stored',
  mayRead: ['editor'],
  async check({ say, transcript }) {
    const { shown, asked } = await say('write', { text: 'draft' }, { text: 'final' });
    expect(shown).toBe('final');
    expect(textOf(asked[1]?.messages.at(-1))).toBe('No drafts.\n\nWrite it out.');
    expect(transcript()).toEqual(['user: write', 'assistant: final']);
  },
});
