import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample, type PointTurn } from '../pointSample.ts';

const seed = join(import.meta.dirname, '../../compat/fixture/tenant-auth/tenant-auth.ts');
const calls = (name: string, args: object): object => ({ toolCalls: [{ name, arguments: args }] });

export default sample({
  rule: "the spec's own tenant plugin, word by word, holds quotas and tools of each tenant in the whole runtime",
  prepare: ({ agentDir }) => copyFile(seed, join(agentDir, 'plugins', 'tenant-auth.ts')),
  async check({ runtime, say }) {
    const turnOf = (tenantId: string, ...script: readonly object[]): Promise<PointTurn> =>
      runtime.conversations.withTenant({ tenantId }, () =>
        say('go', script, { session: runtime.conversations.create() }),
      );
    const rich = await turnOf('rich', calls('ls', {}), calls('read', { path: 'a.md' }), { text: 'Done.' });
    expect(rich.results[1]).toContain("Tool 'read' is not available on your plan.");
    expect(rich.results[0]).not.toContain('not available');
    expect(rich.outcome).toMatchObject({ status: 'completed' });
    const poor = await turnOf('poor', { text: 'never asked' });
    expect(poor.outcome).toMatchObject({ status: 'blocked', pluginId: 'tenant-auth', httpStatus: 429 });
    expect(poor.asked).toEqual([]);
    const nobody = await say('go', [{ text: 'Done.' }]);
    expect(nobody.outcome).toMatchObject({ status: 'completed' });
  },
});
