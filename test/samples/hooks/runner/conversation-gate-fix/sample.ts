import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the remedy of the diagnostic lets the plugin hear the next turn',
  async check({ runtime, say, marks, found }) {
    const [fix] = found('plugin_hook_blocked', 'reader')[0]?.fixes ?? [];
    await runtime.workspace.applyFix(fix!);
    await say('hi', done);
    expect(marks).toEqual(['hi']);
    expect(found('plugin_hook_blocked')).toEqual([]);
  },
});
