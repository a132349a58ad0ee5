import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command that never answers gives a polite text after two minutes, and a diagnostic',
  speed: 2000,
  async check({ manager, found }) {
    expect((await manager.commands()[0]?.run('', { channel: 'cli' }))?.text).toContain('Command failed');
    expect(found('plugin_command_failed', 'stuck')[0]?.message).toContain('timed out after 120000ms');
  },
});
