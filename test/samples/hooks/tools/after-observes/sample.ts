import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what after_tool_call returns changes nothing, and the plugin is told which hook would',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(found('hook_result_ignored', 'writer')).toMatchObject([
      { hint: 'Use tool_result_persist to change it.' },
    ]);
  },
});
