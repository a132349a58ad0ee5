import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'allowPromptInjection=false blocks the prompt hooks and strips the older one',
  config: { entries: { writer: { hooks: { allowPromptInjection: false } } } },
  async check({ manager, found }) {
    expect(manager.hooks.has('before_prompt_build')).toBe(false);
    expect(await manager.hooks.modify('before_agent_start', { prompt: 'p' }, {})).toEqual({
      modelOverride: 'm',
    });
    expect(found('plugin_hook_blocked', 'writer')).toHaveLength(1);
    expect(found('plugin_hook_stripped', 'writer')).toHaveLength(1);
  },
});
