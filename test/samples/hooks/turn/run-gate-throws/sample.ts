import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gate that throws blocks, and its error text is nowhere',
  mayRead: ['gate'],
  async check({ log, say, found, stored }) {
    const { outcome } = await say('my secret', done);
    expect(JSON.stringify(outcome)).toContain('before_agent_run hook failed');
    expect(found('hook_failed', 'gate')).toMatchObject([
      { message: expect.stringMatching(/^\[hooks\] before_agent_run handler from gate failed/u) as string },
    ]);
    expect(JSON.stringify(log.lines) + (await stored())).not.toContain('my secret');
  },
});
