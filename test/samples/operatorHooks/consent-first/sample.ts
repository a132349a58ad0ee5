import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a workspace hook runs only after the user has enabled it, whatever the config says, and until that is taken back',
  consent: false,
  config: { entries: { theirs: { enabled: true } } },
  async check({ hook, hooks, marks, load, events }) {
    expect(hook('theirs')).toMatchObject({
      status: 'disabled',
      reason: 'workspace hook (disabled by default)',
      needsConsent: { why: 'never-enabled' },
    });
    expect(marks).toEqual([]);
    await hooks.grantConsent('theirs', hook('theirs').needsConsent?.hash);
    expect(hook('theirs')).toMatchObject({ status: 'loaded', reason: 'enabled by you' });
    await load();
    expect(marks).toEqual(['loaded']);
    await hooks.revokeConsent('theirs');
    expect(events.has('command', 'new')).toBe(false);
    await expect(hooks.grantConsent('unknown')).rejects.toMatchObject({ code: 'hook_unknown' });
  },
});
