import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that hangs in one session holds up no other',
  async check({ runtime, sayTo, marks }) {
    const abort = new AbortController();
    const hanging = sayTo('hang', [done], { signal: abort.signal });
    await expect.poll(() => marks).toEqual(['hanging']);
    const { outcome } = await sayTo('go', [done], { session: runtime.conversations.create() });
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    abort.abort();
    await hanging;
  },
});
