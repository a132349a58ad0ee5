import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a promise from tool_result_persist is ignored, named once, and nobody waits for it',
  async check({ say, found }) {
    const { results } = await say('read', readA, readA, done);
    expect(results[0]).toContain('text of a');
    expect(found('hook_returned_promise', 'late')).toMatchObject([
      {
        message:
          '[hooks] tool_result_persist handler from late returned a Promise; this hook is synchronous and the result was ignored.',
      },
    ]);
  },
});
