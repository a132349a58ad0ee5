import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin hears the conversation only where the user allows it; what would allow it is said',
  async check({ manager, found, load, marks }) {
    expect(manager.hooks.has('agent_end')).toBe(false);
    expect(found('plugin_hook_blocked', 'listener')).toMatchObject([
      { level: 'warn', fixes: [{ kind: 'allow-conversation-access', pluginId: 'listener' }] },
    ]);
    await load({ config: { entries: { listener: { hooks: { allowConversationAccess: true } } } } });
    await manager.hooks.observe('agent_end', { messages: [], success: true }, {});
    expect(marks).toEqual(['heard']);
    await load({ config: { entries: {} } });
    expect(manager.hooks.has('agent_end')).toBe(false);
  },
});
