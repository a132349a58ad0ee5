import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that loses conversation access hears nothing more',
  mayRead: ['reader'],
  async check({ runtime, say, marks }) {
    await say('one', done);
    await runtime.plugins.configure(['entries', 'reader', 'hooks', 'allowConversationAccess'], false);
    await runtime.workspace.reloadConfig();
    await say('two', done);
    expect(marks).toEqual(['one']);
  },
});
