import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'registerCli needs a function; its commands are listed as commands or descriptors name them',
  check({ manager, plugin, found }) {
    expect(plugin('tools').registrations).toEqual({ cli: ['notes', 'sync'] });
    expect(manager.cli().map(({ pluginId, commands }) => [pluginId, commands])).toEqual([
      ['tools', ['notes']],
      ['tools', ['sync']],
    ]);
    expect(found('plugin_registration_refused', 'tools')).toMatchObject([
      { message: 'cli registrar must be a function' },
    ]);
  },
});
