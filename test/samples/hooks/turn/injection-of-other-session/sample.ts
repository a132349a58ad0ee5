import { expect } from 'vitest';
import { createHeldModel } from '../../../../builders/createHeldModel.ts';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'a text that waits for one session is not given to another',
  async check({ runtime, session, say, sayTo }) {
    await runtime.plugins.findCommand('/queue')?.run(session);
    const model = createHeldModel([[{ type: 'done', stopReason: 'stop' }]]);
    await sayTo('hi', [], { model, session: runtime.conversations.create() });
    expect(textOf(model.asked[0]?.[0])).toBe('hi');
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('queued\nhi');
  },
});
