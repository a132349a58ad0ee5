import { expect } from 'vitest';
import { drainInjections } from '../../../builders/drainInjections.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'allowPromptInjection: false refuses injections by name',
  config: { entries: { queuer: { hooks: { allowPromptInjection: false } } } },
  async check({ manager, runTool, sessionKey, sessionState }) {
    await expect(runTool('queue', { sessionKey })).rejects.toThrow('allowPromptInjection=false');
    expect(manager.mayInject('queuer')).toBe(false);
    expect(await drainInjections(sessionState, sessionKey, () => true)).toEqual([]);
  },
});
