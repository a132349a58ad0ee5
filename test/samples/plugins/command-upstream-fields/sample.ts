import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: "a command knows its session and asks for bindings in vain; what of upstream's fields has no effect is a warning",
  async check({ manager, found, sessionKey }) {
    expect(found('plugin_registration_unused').map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'warn: command /bind: no effect here: agentPromptGuidance (models are told nothing of commands), nativeNames (it is called by its name)',
    ]);
    const [bind] = manager.commands();
    const caller = { channel: 'cli', sessionId: 's1', agentId: 'main' };
    expect(JSON.parse((await bind?.run('', caller)) ?? '')).toEqual([
      's1',
      'main',
      null,
      'error',
      { removed: false },
    ]);
    const action = { pluginId: 'talk', actionId: 'go', sessionKey };
    expect(await manager.runSessionAction(action)).toEqual({ reply: 'gone' });
    expect(found('plugin_continue_unsupported').map(({ message }) => message)).toEqual([
      'command /bind of plugin talk wants the agent to go on; here its answer is the end (continueAgent)',
      'session action go of plugin talk wants the agent to go on; here its answer is the end (continueAgent)',
    ]);
  },
});
