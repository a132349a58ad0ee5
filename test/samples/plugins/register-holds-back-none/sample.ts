import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a register that never settles holds back no other plugin, nor the end of the window',
  speed: 10,
  config: { deny: ['a-stuck', 'b-guard'] },
  async check({ load, manager, plugin }) {
    const guards = new Promise<void>((resolve) => {
      manager.onDidChange(() => {
        if (plugin('b-guard').status === 'loaded') resolve();
      });
    });
    const loading = load({ config: { deny: [] } });
    await guards;
    expect(manager.hooks.has('before_tool_call')).toBe(true);
    expect(plugin('a-stuck')).toMatchObject({ status: 'disabled', reason: 'still loading' });
    await manager.close();
    await loading;
    expect(manager.plugins()).toEqual([]);
  },
});
