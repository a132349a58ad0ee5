import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a cancel while a plugin judges the answer stores and shows nothing of it',
  mayRead: ['judge'],
  async check({ sayTo, marks, stored }) {
    const abort = new AbortController();
    const turn = sayTo('hi', [{ text: 'draft' }], { signal: abort.signal });
    await expect.poll(() => marks).toEqual(['judging']);
    abort.abort();
    const { outcome, shown } = await turn;
    expect(outcome).toEqual({ status: 'cancelled' });
    expect(shown).toBe('');
    expect(await stored()).not.toContain('draft');
  },
});
