import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../../../src/contracts/tenant.ts';
import type { StartedTurn } from '../../../../src/runtime/runtime.ts';
import type { Session } from '../../../../src/sessions/session.ts';
import { openTestRuntime, type TestRuntime, type TestTurn } from '../../../builders/openTestRuntime.ts';
import { calls, resultsOf, spawns, textIn } from '../../agents/agentWorld.ts';

const a: Tenant = { tenantId: 'a', userId: 'ada' };
const b: Tenant = { tenantId: 'b', userId: 'bob' };
const done = { text: 'Done.' };

/** One turn in a new session of a tenant, all of it on the tenant's behalf. */
function turnOf(
  { runtime, say }: TestRuntime,
  tenant: Tenant,
  script: readonly object[],
): Promise<{ readonly session: Session; readonly turn: TestTurn }> {
  return runtime.conversations.withTenant(tenant, async () => {
    const session = runtime.conversations.create();
    return { session, turn: await say(`for ${tenant.tenantId ?? ''}`, script, { session }) };
  });
}

describe('turns of tenants', () => {
  it('leave sessions that their tenant alone sees, lists and goes on with', async () => {
    await using world = await openTestRuntime();
    const { runtime } = world;
    const { session } = await turnOf(world, a, [done]);
    expect(session.header.tenant).toEqual(a);
    const idsOf = (tenant: Tenant): Promise<readonly string[]> =>
      runtime.conversations.withTenant(tenant, async () =>
        (await runtime.conversations.summaries()).map(({ id }) => id),
      );
    expect(await idsOf(a)).toEqual([session.id]);
    expect(await idsOf(b)).toEqual([]);
    expect(await runtime.conversations.summaries()).toEqual([]);
    expect(await runtime.conversations.forTenant(a).summaries()).toHaveLength(1);
    const ask = (tenant: Tenant): Promise<StartedTurn> =>
      runtime.turns.start({
        ...{ session, tenant, prompt: 'Mine?', attachments: [], model: runtime.models.default() },
        ...{ signal: new AbortController().signal, emit: () => undefined },
      });
    await expect(ask(b)).rejects.toMatchObject({ code: 'tenant_mismatch' });
    const before = session.messages().length;
    // Who names no tenant goes on as the one that the session belongs to.
    await (
      await ask({ userId: 'eve' })
    ).settled;
    expect(session.messages().length).toBeGreaterThan(before);
  });

  it('take a session of nobody as long as it is new, and none after that', async () => {
    await using world = await openTestRuntime();
    const { runtime, say, session } = world;
    await say('hello', [done]);
    const old = runtime.conversations.withTenant(a, () => say('Mine?', [done], { session }));
    await expect(old).rejects.toMatchObject({ code: 'tenant_mismatch' });
    const fresh = runtime.conversations.create();
    await runtime.conversations.withTenant(a, () => say('Mine.', [done], { session: fresh }));
    expect(fresh.header.tenant).toEqual(a);
  });

  it('start agents for the same tenant, which see no session of another one', async () => {
    await using world = await openTestRuntime();
    const { session: other } = await turnOf(world, b, [done]);
    const { session, turn } = await turnOf(world, a, [
      spawns('Look around.'),
      calls('sessions_list', {}),
      done,
      calls('sessions_history', { sessionKey: other.key }),
      calls('sessions_list', {}),
      done,
    ]);
    const mine = await world.runtime.conversations.forTenant(a).summaries();
    expect(
      mine.map(({ kind, tenant }) => ({ kind, tenant })).sort((one, two) => (one.kind < two.kind ? -1 : 1)),
    ).toEqual([
      { kind: 'chat', tenant: a },
      { kind: 'subagent', tenant: a },
    ]);
    const [history] = resultsOf(turn, 'sessions_history');
    expect(history?.isError).toBe(true);
    const listed = textIn(resultsOf(turn, 'sessions_list')[0]);
    expect(listed).toContain(session.id.slice(0, 8));
    expect(listed).not.toContain(other.id.slice(0, 8));
  });

  it('are asked each for its own, and an "always" of one answers nothing for the other', async () => {
    await using world = await openTestRuntime({ answer: 'allow-always' });
    const write = (content: string): object => calls('write', { path: 'a.md', content });
    const asked = ({ turn }: { readonly turn: TestTurn }): readonly (string | undefined)[] =>
      turn.events.flatMap((event) => (event.type === 'approval_requested' ? [event.request.tenantId] : []));
    expect(asked(await turnOf(world, a, [write('1'), write('2'), done]))).toEqual(['a']);
    expect(asked(await turnOf(world, b, [write('3'), done]))).toEqual(['b']);
    expect(asked(await turnOf(world, a, [write('4'), done]))).toEqual([]);
    expect(asked({ turn: await world.say('for nobody', [write('5'), done]) })).toEqual([undefined]);
  });

  it('at the same time stay each with its tenant', async () => {
    await using world = await openTestRuntime({ isRecorded: false });
    const script = [calls('sessions_list', {}), calls('sessions_list', {}), done];
    const [one, two] = await Promise.all([turnOf(world, a, script), turnOf(world, b, script)]);
    for (const [own, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const listed = resultsOf(own.turn, 'sessions_list').map(textIn).join();
      expect(listed).toContain(own.session.id.slice(0, 8));
      expect(listed).not.toContain(other.session.id.slice(0, 8));
    }
  });
});
