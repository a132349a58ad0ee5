import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'registerHook with internal events is listed by its name; a name is registered once, a missing one is made up',
  check({ manager, found }) {
    expect(manager.internalHooks().map(({ name, events }) => [name, events])).toEqual([
      ['greeter', ['command:new']],
      ['old:command+gateway:startup', ['command', 'gateway:startup']],
    ]);
    expect(found('plugin_hook_unnamed', 'old').map(({ message }) => message)).toEqual([
      'hook registration missing name; it is listed as "old:command+gateway:startup"',
      'hook registration missing event',
    ]);
    expect(found('plugin_registration_refused', 'old').map(({ message }) => message)).toEqual([
      'hook already registered: greeter (old)',
      'hook "old:command:stop" has no handler function',
    ]);
  },
});
