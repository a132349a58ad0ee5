import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command needs a name of letters, digits, - and _, and a handler; what is missing is named',
  async check({ manager, plugin, found }) {
    expect(found('plugin_command_refused', 'cmd').map(({ message }) => message)).toEqual([
      'command registration missing name',
      'command registration failed: Command name cannot be empty',
      'command registration failed: Command name "two words" may hold only letters, digits, - and _',
      'command registration failed: Command handler must be a function',
    ]);
    expect(plugin('cmd').commands).toEqual(['loud']);
    expect((await manager.commands()[0]?.run('', { channel: 'cli' }))?.text).toBe('heard');
  },
});
