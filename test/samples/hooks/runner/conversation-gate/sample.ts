import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the seven conversation hooks of a plugin without access do not fire; each is named with its remedy',
  async check({ say, marks, found }) {
    await say('hi', done);
    expect(marks).toEqual([]);
    const blocked = found('plugin_hook_blocked', 'reader');
    expect(blocked).toHaveLength(7);
    expect(blocked[0]).toMatchObject({
      message:
        'typed hook "before_model_resolve" blocked because non-bundled plugins must set plugins.entries.reader.hooks.allowConversationAccess=true',
      fixes: [{ kind: 'allow-conversation-access', pluginId: 'reader' }],
    });
  },
});
