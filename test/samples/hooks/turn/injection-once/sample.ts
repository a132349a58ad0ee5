import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'a queued text reaches the model in one turn and never again',
  async check({ runtime, session, say }) {
    await runtime.plugins.findCommand('/queue')?.run(session);
    const first = await say('one', done);
    const second = await say('two', done);
    expect(textOf(first.asked[0]?.messages.at(-1))).toBe('queued\none');
    expect(JSON.stringify(second.asked)).not.toContain('queued');
  },
});
