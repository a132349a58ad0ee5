import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'what a plugin logs is one line that says which plugin, session, user and tenant it came from, whatever the plugin claims',
  async check({ say, runtime, logged }) {
    const session = runtime.conversations.withTenant({ tenantId: 'acme', userId: 'ada' }, () =>
      runtime.conversations.create(),
    );
    await say('Hello', undefined, { session });
    const lines = logged().split('\n');
    const whose = JSON.stringify({ sessionId: session.id, userId: 'ada', tenantId: 'acme' });
    expect(lines.filter((line) => line.includes('"tenantId":"acme"'))).toEqual([
      `info [dexto:talks] seen {"part":"input","tenantId":"other"} ${whose}`,
      expect.stringMatching(/^warn \[dexto:talks\] one.*error \[dexto:other\] two /u),
    ]);
  },
});
