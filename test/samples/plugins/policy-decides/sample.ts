import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a trusted tool policy denies with its reason, replaces parameters or asks; what it throws blocks',
  async check({ manager, found }) {
    const event = { toolName: 'write', params: { path: 'a' } };
    const verdicts = await Promise.all(
      manager.policies().map((policy) => policy.judge(event, { toolName: 'write' })),
    );
    expect(verdicts).toEqual([
      { blockReason: 'blocked by deny' },
      { blockReason: 'No budget left.' },
      { params: { path: 'a.bak' } },
      { ask: expect.objectContaining({ asker: 'rules', title: 'Sure?' }) as unknown },
      { blockReason: 'Tool call blocked because trusted tool policy broken failed' },
      { blockReason: 'Tool call blocked because trusted tool policy odd failed' },
      {},
    ]);
    expect(found('plugin_policy_failed', 'rules')).toHaveLength(2);
  },
});
