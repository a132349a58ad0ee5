import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'context comes from queued injections, agent_turn_prepare, before_prompt_build, before_agent_start, in this order',
  async check({ runtime, session, say }) {
    await runtime.plugins.findCommand('/queue')?.run(session);
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0]).split('\n')).toEqual(['queued', 'turn', 'build', 'legacy', 'hi']);
  },
});
