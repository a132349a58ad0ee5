import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the trace of a blocked run says who blocked it, and nothing of what any plugin quoted',
  mayRead: ['gate'],
  async check({ runtime, say, traced }) {
    await say('my secret', done);
    expect(await traced()).toEqual(['gate before_prompt_build changed', 'gate before_agent_run blocked']);
    expect(JSON.stringify(await runtime.turns.traces.list())).not.toContain('my secret');
  },
});
