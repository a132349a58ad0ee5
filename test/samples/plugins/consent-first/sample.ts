import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace plugin waits until the user has enabled it once, and says what it asks for',
  consent: false,
  async check({ marks, plugin, manager }) {
    expect(marks).toEqual([]);
    expect(plugin('asker')).toMatchObject({
      status: 'disabled',
      reason: 'workspace plugin (disabled by default)',
      needsConsent: { why: 'never-enabled' },
      asks: {
        hooks: ['llm_input', 'before_tool_call'],
        tools: ['ping'],
        conversation: true,
        reaches: ['processes'],
      },
    });
    await manager.grantConsent('asker');
    expect(plugin('asker').status).toBe('loaded');
    await manager.revokeConsent('asker');
    expect(plugin('asker').needsConsent?.why).toBe('never-enabled');
    expect(manager.hooks.has('before_tool_call')).toBe(false);
  },
});
