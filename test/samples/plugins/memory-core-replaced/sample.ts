import { expect } from 'vitest';
import { createTestMemory } from '../../../builders/createTestMemory.ts';
import { installMemoryCore } from '../installMemoryCore.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "a memory plugin of the user's own stands in for memory-core: its tools, its recall, and nothing of the other",
  memory: () => createTestMemory(),
  prepare: installMemoryCore,
  config: { entries: { older: { enabled: false } } },
  async check({ manager, plugin, load, runTool }) {
    const names = (): readonly string[] => manager.tools({}).map(({ name }) => name);
    const prompt = 'Do we use tabs here?';
    expect(plugin('memory-core')).toMatchObject({
      status: 'disabled',
      reason: 'memory slot already filled by "journal"',
    });
    expect(names()).toEqual(['memory_search', 'memory_store']);
    expect(await runTool('memory_search', { query: 'tabs' })).toContain('We use tabs.');
    expect(await manager.hooks.modify('before_prompt_build', { prompt, messages: [] }, {})).toEqual({
      prependContext: '<relevant-memories>\nWe use tabs.\n</relevant-memories>',
    });

    await load({ config: { entries: {}, slots: { memory: 'older' } } });
    expect(plugin('memory-core').reason).toBe('memory slot set to "older"');
    expect(names()).toEqual([]);
    expect(manager.hooks.has('before_prompt_build')).toBe(false);
    expect(await manager.hooks.modify('before_agent_start', { prompt, messages: [] }, {})).toEqual({
      prependContext: '<relevant-memories>\nfrom before\n</relevant-memories>',
    });

    await load({ config: { slots: { memory: 'memory-core' } } });
    expect(plugin('journal').reason).toBe('memory slot set to "memory-core"');
    expect(names()).toEqual(['memory_search', 'memory_get', 'memory_append']);
  },
});
