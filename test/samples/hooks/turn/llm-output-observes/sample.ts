import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what llm_output returns changes nothing, and the plugin is told which hook would',
  mayRead: ['writer'],
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
    expect(found('hook_result_ignored', 'writer')).toMatchObject([
      { hint: 'Use message_sending to change it.' },
    ]);
  },
});
