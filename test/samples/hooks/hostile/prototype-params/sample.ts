import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'parameters with the field __proto__ pollute nothing',
  async check({ say, marks }) {
    const { outcome } = await say('read', readA, done);
    expect(outcome.status).toBe('completed');
    expect(marks).toEqual([undefined]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
});
