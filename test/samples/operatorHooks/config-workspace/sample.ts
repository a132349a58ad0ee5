import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: "what a workspace config says holds for the workspace's hooks alone",
  config: { workspace: { enabled: false, entries: { own: { enabled: false } } } },
  async check({ hook, emit }) {
    expect(await emit('command:new')).toEqual(['own']);
    expect(hook('theirs').reason).toBe('hooks are switched off in config');
  },
});
