import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a channel loads from files beside its entry; what it makes of parts that are not here names them when it is called',
  async check({ plugin, runTool }) {
    expect(plugin('p').registrations).toMatchObject({ channel: ['post'] });
    await expect(runTool('use')).rejects.toThrow(
      'createChannelApprovalAuth().authorize of openclaw/plugin-sdk/approval-auth-runtime does not exist here',
    );
  },
});
