import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: "a cancel while a plugin thinks ends the turn at once and fires the handler's abort signal",
  async check({ sayTo, marks }) {
    const abort = new AbortController();
    const turn = sayTo('hi', [{ text: 'not reached' }], { signal: abort.signal });
    await expect.poll(() => marks).toEqual(['thinking']);
    abort.abort();
    expect((await turn).outcome).toEqual({ status: 'cancelled' });
    expect(marks).toEqual(['thinking', 'aborted']);
  },
});
