import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: "an unknown hook is a warning with the nearest name; the plugin's other hooks fire",
  async check({ say, marks, found }) {
    await say('hi', done);
    expect(marks).toEqual(['heard']);
    expect(found('plugin_hook_unknown', 'typo')).toMatchObject([
      { level: 'warn', hint: 'Did you mean "message_sent"?' },
    ]);
  },
});
