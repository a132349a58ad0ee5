import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'services can be read and not changed, sessions of other tenants are not among them; storage can be written and outlives the program',
  async check(world) {
    const { say, restart, runtime } = world;
    const other = runtime.conversations.withTenant({ tenantId: 'other' }, () =>
      runtime.conversations.create(),
    );
    await say('Hello', undefined, { session: other });
    await say('Hello');
    const seen = JSON.parse(world.marks[1] ?? '') as Record<string, unknown>;
    expect(seen).toEqual({
      sessions: [world.session.id],
      other: null,
      servers: [{ name: 'tides', type: 'stdio', connected: false }],
      hasRead: true,
      model: 'test.jsonl',
      changed: ['TypeError', 'TypeError'],
      count: 1,
    });
    await restart();
    await say('Hello');
    expect(JSON.parse(world.marks[0] ?? '')).toMatchObject({ hasRead: true, count: 2 });
  },
});
