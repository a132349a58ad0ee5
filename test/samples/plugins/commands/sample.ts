import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command runs with its arguments; a reserved or taken name is refused; a failure is a polite text',
  async check({ manager, found }) {
    const [greet, boom, ...others] = manager.commands();
    expect(others).toEqual([]);
    expect(greet).toMatchObject({ name: 'greet', pluginId: 'a', acceptsArgs: true, description: 'Greets.' });
    expect(await greet?.run(' Ada\u0007 ', { channel: 'cli' })).toBe('Hi Ada');
    expect(await boom?.run('', { channel: 'cli' })).toBe('⚠️ Command failed. Please try again later.');
    expect(found('plugin_command_failed', 'a')[0]?.message).toContain('secret detail');
    expect(found('plugin_command_refused').map(({ message }) => message)).toEqual([
      'command registration failed: Command name "help" is reserved by a built-in command',
      'command registration failed: Command "greet" already registered by plugin "a"',
    ]);
  },
});
