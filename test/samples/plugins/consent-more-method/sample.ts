import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command, a service and a listener that the code registers by a computed method wait until the user agrees to them',
  async check({ manager, plugin, marks }) {
    expect(manager.commands()).toEqual([]);
    expect(manager.internalHooks()).toEqual([]);
    expect(marks).toEqual([]);
    expect(plugin('sly').heldBack).toEqual(['command sly', 'service sly', 'internal hook sly']);
    await manager.allowRegistrations('sly', ['command sly', 'service sly']);
    expect(manager.commands().map(({ name }) => name)).toEqual(['sly']);
    expect(manager.internalHooks()).toEqual([]);
    expect(marks).toEqual(['started']);
  },
});
