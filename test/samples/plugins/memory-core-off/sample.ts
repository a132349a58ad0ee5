import { expect } from 'vitest';
import { createTestMemory } from '../../../builders/createTestMemory.ts';
import { installMemoryCore } from '../installMemoryCore.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'memory-core has the memory slot until it is set to none: then its tools and its recall are gone, and it says why',
  memory: () => createTestMemory(),
  prepare: installMemoryCore,
  async check({ manager, plugin, load, found }) {
    const names = (): readonly string[] => manager.tools({}).map(({ name }) => name);
    expect(plugin('memory-core')).toMatchObject({ status: 'loaded', reason: 'enabled by default' });
    expect(names()).toEqual(['memory_search', 'memory_get', 'memory_append']);
    expect(found('plugin_tools_undeclared')).toEqual([]);
    expect(manager.hooks.has('before_prompt_build')).toBe(true);

    await load({ config: { slots: { memory: 'none' } } });
    expect(plugin('memory-core')).toMatchObject({ status: 'disabled', reason: 'memory slot disabled' });
    expect(names()).toEqual([]);
    expect(manager.hooks.has('before_prompt_build')).toBe(false);
  },
});
