import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "a command knows its session and asks for bindings in vain; what of upstream's fields has no effect is a warning",
  async check({ manager, found }) {
    expect(found('plugin_registration_unused').map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'warn: command /bind: no effect here: agentPromptGuidance (models are told nothing of commands), nativeNames (it is called by its name)',
    ]);
    const [bind] = manager.commands();
    const caller = { channel: 'cli', sessionId: 's1', agentId: 'main' };
    expect(JSON.parse((await bind?.run('', caller))?.text ?? '')).toEqual([
      's1',
      'main',
      null,
      'error',
      { removed: false },
    ]);
  },
});
