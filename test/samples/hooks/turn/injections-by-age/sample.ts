import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'queued injections reach the model oldest first, each at its place',
  async check({ runtime, session, say, marks }) {
    await runtime.plugins.findCommand('/queue')?.run(session);
    const { asked } = await say('hi', done);
    expect(asked[0]?.messages[0]?.content).toMatchObject([
      { text: 'one\n\nthree' },
      { text: 'hi' },
      { text: 'two' },
    ]);
    expect(marks).toEqual(['one', 'two', 'three']);
  },
});
