import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'listeners of plugins stay when hooks are loaded again, and their failures name plugin and hook',
  async check({ emit, events, load, found }) {
    events.setListeners('plugins', [
      {
        name: 'late',
        pluginId: 'p',
        events: ['command:new'],
        handler: () => {
          throw new Error('no');
        },
      },
    ]);
    await load();
    expect(await emit('command:new')).toEqual(['own']);
    expect(found('hook_failed')).toMatchObject([
      { message: 'hook "late" of plugin p failed at command:new: no', pluginId: 'p' },
    ]);
  },
});
