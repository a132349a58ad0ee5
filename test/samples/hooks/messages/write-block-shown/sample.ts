import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an answer that is kept out of the transcript was still shown; what the model reads says who kept it out',
  async check({ say, transcript }) {
    const { shown } = await say('read', readA, done);
    expect(shown).toBe('Done.');
    expect(transcript().some((line) => line.startsWith('assistant: Done.'))).toBe(false);
  },
});
