import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: "a workspace hook never takes the place of the user's own of the same name, and nothing is asked about it",
  consent: false,
  async check({ hooks, found, emit }) {
    expect(hooks.list()).toMatchObject([
      { name: 'same', origin: 'managed', status: 'loaded' },
      { name: 'same', origin: 'workspace', status: 'disabled', reason: 'overridden by managed hook' },
      { name: 'own', origin: 'workspace', needsConsent: { why: 'never-enabled' } },
    ]);
    expect(hooks.list()[1]?.needsConsent).toBeUndefined();
    expect(found('hook_duplicate_name')).toHaveLength(1);
    expect(await emit('command:new')).toEqual(['managed']);
  },
});
