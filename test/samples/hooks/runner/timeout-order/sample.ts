import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the time of a handler: config per hook, then per plugin, then the option of api.on',
  config: {
    plugins: { entries: { slow: { hooks: { timeoutMs: 30, timeouts: { before_prompt_build: 20 } } } } },
  },
  async check({ say, found }) {
    await say('hi', done);
    const texts = found('hook_timed_out', 'slow').map(({ message }) => message);
    expect(texts).toEqual([
      '[hooks] agent_turn_prepare handler from slow failed: timed out after 30ms',
      '[hooks] before_prompt_build handler from slow failed: timed out after 20ms',
    ]);
  },
});
