import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gate that decides nothing blocks',
  mayRead: ['gate'],
  async check({ say }) {
    const { outcome } = await say('hi', done);
    expect(JSON.stringify(outcome)).toContain('before_agent_run returned an invalid decision');
  },
});
