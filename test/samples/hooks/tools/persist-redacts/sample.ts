import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what tool_result_persist takes out of a result reaches neither model nor disk',
  files: { 'a.md': 'the key is hunter2' },
  async check({ runtime, say, transcript, stored }) {
    const { asked } = await say('read', readA, done);
    await runtime.stop('shutdown');
    expect(JSON.stringify(asked[1]?.messages)).toContain('the key is ****');
    expect(JSON.stringify([asked, transcript()]) + (await stored())).not.toContain('hunter2');
  },
});
