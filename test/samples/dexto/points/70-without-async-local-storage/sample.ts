import { expect } from 'vitest';
import { sample, type PointWorld } from '../pointSample.ts';

const { getBuiltinModule } = process;

export default sample({
  rule: 'where a process has no async contexts, the tenant is a parameter of the turn, and afterwards that of its session',
  prepare() {
    process.getBuiltinModule = () => undefined;
    return Promise.resolve();
  },
  async check(world) {
    process.getBuiltinModule = getBuiltinModule;
    const { runtime, session, marks } = world;
    await runtime.conversations.withTenant({ tenantId: 'unheard' }, () =>
      ask(world, 'zero', runtime.conversations.create()),
    );
    expect(marks).toEqual(['undefined: zero']);
    await ask(world, 'one', session, 'acme');
    await ask(world, 'two', session);
    await ask(world, 'three', runtime.conversations.create(), 'other');
    expect(marks.slice(1)).toEqual(['acme: one', 'acme: one two', 'other: three']);
    await expect(ask(world, 'four', session, 'other')).rejects.toMatchObject({ code: 'tenant_mismatch' });
  },
});

async function ask(
  { runtime }: PointWorld,
  prompt: string,
  session: PointWorld['session'],
  tenantId?: string,
): Promise<void> {
  const run = await runtime.turns.start({
    ...{ session, prompt, attachments: [], model: runtime.models.default() },
    ...(tenantId === undefined ? {} : { tenant: { tenantId } }),
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  await run.settled;
}
