import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a call of upstream that does something else than register has no effect, says so, and the plugin goes on',
  async check({ manager, found, runTool }) {
    expect(found('plugin_method_unsupported', 'caller')).toMatchObject([
      { message: 'api.scheduleHoliday has no effect here: it does not exist' },
    ]);
    await manager.allowRegistrations('caller', ['tool undefined_tool']);
    expect(await runTool('undefined_tool')).toBe('ok');
  },
});
