import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command runs with its arguments; one whose name is taken is /<plugin>:<name>; a failure is a polite text',
  async check({ manager, found }) {
    const [greet, help, boom, greetOfB, ...others] = manager.commands();
    expect(others).toEqual([]);
    expect(help).toMatchObject({ name: 'a:help', pluginId: 'a' });
    expect((await help?.run('', { channel: 'cli' }))?.text).toBe('x');
    expect(greetOfB).toMatchObject({ name: 'b:greet', pluginId: 'b' });
    expect((await greetOfB?.run('', { channel: 'cli' }))?.text).toBe('mine');
    expect(greet).toMatchObject({ name: 'greet', pluginId: 'a', acceptsArgs: true, description: 'Greets.' });
    expect((await greet?.run(' Ada\u0007 ', { channel: 'cli' }))?.text).toBe('Hi Ada');
    expect((await boom?.run('', { channel: 'cli' }))?.text).toBe(
      '⚠️ Command failed. Please try again later.',
    );
    expect(found('plugin_command_failed', 'a')[0]?.message).toContain('secret detail');
    expect(found('plugin_command_renamed').map(({ message }) => message)).toEqual([
      '/help belongs to a built-in command; the command of this plugin is /a:help',
      '/greet belongs to plugin "a"; the command of this plugin is /b:greet',
    ]);
  },
});
