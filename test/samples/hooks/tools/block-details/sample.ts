import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "a blocked result says so in its details, in upstream's words",
  async check({ session, say }) {
    await say('read', readA, done);
    expect(session.messages()[2]).toMatchObject({
      isError: true,
      details: {
        status: 'blocked',
        deniedReason: 'plugin-before-tool-call',
        pluginId: 'guard',
        reason: 'no',
      },
    });
  },
});
