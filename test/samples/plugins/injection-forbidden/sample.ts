import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'allowPromptInjection: false refuses injections by name',
  config: { entries: { queuer: { hooks: { allowPromptInjection: false } } } },
  async check({ manager, runTool, sessionKey, sessionState }) {
    await expect(runTool('queue', { sessionKey })).rejects.toThrow('allowPromptInjection=false');
    expect(manager.mayInject('queuer')).toBe(false);
    expect(await sessionState.drain(sessionKey, () => true)).toEqual([]);
  },
});
