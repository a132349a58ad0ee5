import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hook whose name the code computes is not asked before the user agrees to it',
  async check({ manager, plugin, found }) {
    const blocked = async (): Promise<unknown> =>
      (
        await manager.hooks.modify(
          'before_tool_call',
          { toolName: 'write', params: {} },
          { toolName: 'write' },
        )
      ).block;
    expect(plugin('sly')).toMatchObject({
      status: 'loaded',
      hookNames: [],
      heldBack: ['hook before_tool_call'],
    });
    expect(await blocked()).toBeUndefined();
    expect(found('plugin_registers_more', 'sly')).toMatchObject([
      { fixes: [{ kind: 'allow-registrations', names: ['hook before_tool_call'] }] },
    ]);
    await manager.allowRegistrations('sly', ['hook before_tool_call']);
    expect(await blocked()).toMatchObject({ pluginId: 'sly' });
    expect(plugin('sly').heldBack).toEqual([]);
    expect(found('plugin_registers_more')).toEqual([]);
  },
});
