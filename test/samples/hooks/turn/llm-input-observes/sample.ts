import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what llm_input returns changes nothing, and the plugin is told which hook would',
  mayRead: ['writer'],
  async check({ say, found }) {
    const { asked } = await say('hi', done);
    expect(JSON.stringify(asked)).not.toContain('rewritten');
    expect(found('hook_result_ignored', 'writer')).toMatchObject([
      { hint: 'Use before_prompt_build to change it.' },
    ]);
  },
});
