import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'model_call_ended tells how long a call took and how it went',
  async check({ say, marks }) {
    await say('hi', { delayMs: 20, text: 'Done.' });
    await say('hi', { error: { code: 'model_rate_limited', message: 'slow down' } });
    expect(marks).toMatchObject([
      { outcome: 'completed', durationMs: expect.any(Number) as number },
      { outcome: 'error', errorCategory: 'model_rate_limited' },
    ]);
    expect((marks[0] as { durationMs: number }).durationMs).toBeGreaterThan(15);
  },
});
