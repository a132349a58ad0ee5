import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGrantStore } from '../../src/approvals/createGrantStore.ts';
import { createTenantGrants } from '../../src/approvals/createTenantGrants.ts';
import { createContextFactory } from '../../src/dexto/context/createContextFactory.ts';
import { createAgentEventBus, relayNotice } from '../../src/dexto/events/createAgentEventBus.ts';
import type { PointContext } from '../../src/hooks/payloads/pointHooks.ts';
import type { DextoPlugin, ExecutionContext, PluginResult } from '../../src/dexto/dextoTypes.ts';
import { createStorage, type StorageDeps } from '../../src/dexto/storage/createStorage.ts';
import { createTenantContext } from '../../src/dexto/tenant/createTenantContext.ts';
import { resolveTenant } from '../../src/dexto/tenant/resolveTenant.ts';
import type { Tenant } from '../../src/contracts/tenant.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createManualClock } from '../builders/manualClock.ts';
import { createSessionStore } from '../../src/sessions/sessionStore.ts';
import { createTenantSessions } from '../../src/sessions/createTenantSessions.ts';
import { createMapFiles } from '../builders/createMapFiles.ts';
import {
  openExtensionPoints,
  readyPlugin,
  sampleCall,
  samplePayloads,
} from '../builders/openExtensionPoints.ts';

type Pause = () => Promise<void>;

/** What somebody saw, and on whose behalf. Everything that a tenant writes holds its mark. */
interface Sight {
  readonly owner: Tenant | undefined;
  readonly what: unknown;
}

const parties: readonly (Tenant | undefined)[] = [
  { tenantId: 'a', userId: 'ada' },
  { tenantId: 'b', userId: 'bob' },
  undefined,
];
const markOf = (tenant: Tenant | undefined): string => `«${tenant?.tenantId ?? 'nobody'}»`;
const foreignTo = (owner: Tenant | undefined): readonly string[] =>
  parties.filter((each) => each?.tenantId !== owner?.tenantId).map(markOf);

/** Undefined has no JSON of its own. */
const textOf = (what: unknown): string => JSON.stringify([what]);

/** One process that serves all of them: one plugin, one storage, one folder of sessions, one file of grants. */
function openWorld(pause: Pause, isAutomatic: boolean) {
  const clock = createManualClock(5);
  const log = createInMemoryLog();
  const fs = createMapFiles(pause);
  const tenants = createTenantContext({ asyncLocalStorage: isAutomatic ? AsyncLocalStorage : undefined });
  const store = createSessionStore({ fs, clock, log, folder: '/sessions', channel: 'cli' });
  const grants = createGrantStore({ fs, clock, path: '/home/grants.json', report: () => undefined });
  const events = createAgentEventBus({ log });
  const inMemory = { type: 'in-memory' } as const;
  const storage = createStorage({ database: inMemory, cache: inMemory, blob: inMemory }, {
    fs,
    clock,
    log,
    folder: '/storage',
    wasmFile: '',
  } as unknown as StorageDeps);
  const sights: Sight[] = [];
  const sessionIds: string[] = [];

  /** Reads and writes all there is under the same names for everybody, and lets others go on in between. */
  const pry = async (context: ExecutionContext, payload: object): Promise<PluginResult> => {
    const { tenantId, userId, agent, logger } = context;
    const owner = tenantId === undefined ? undefined : { tenantId };
    const see = (what: unknown): void => void sights.push({ owner, what });
    const mark = markOf(owner);
    const { database, cache, blob } = agent.storage;
    see([mark, userId, payload]);
    await pause();
    agent.agentEventBus.on('plugin:notice', see);
    agent.agentEventBus.on('session:created', see);
    await database.set('note', mark);
    await pause();
    await database.append('list', mark);
    await cache.set('note', mark);
    await pause();
    const { id } = await blob.store(mark);
    await pause();
    see(await database.get('note'));
    see(await database.getRange('list', 0, 100));
    see(await cache.get('note'));
    await pause();
    const blobs = await blob.listBlobs();
    see(await Promise.all(blobs.map(async (each) => (await blob.retrieve(each.id))?.data.toString())));
    see(new TextDecoder().decode((await blob.retrieve(id))?.data));
    await pause();
    // Also by the ids of others.
    for (const each of sessionIds) {
      const session = await agent.sessionManager.getSession(each);
      see([session?.metadata, await session?.getHistory()]);
    }
    see((await agent.sessionManager.listSessions()).length > 0);
    logger.child({ part: 'pry' }).info(`saw ${mark}`);
    // With async contexts the code knows by itself, after all that it waited for.
    if (tenants.isAutomatic) expect(tenants.current()?.tenantId).toBe(tenantId);
    return { ok: true, notices: [{ kind: 'info', message: mark }] };
  };
  const plugin: DextoPlugin = {
    beforeLLMRequest: (payload, context) => pry(context, payload),
    beforeToolCall: (payload, context) => pry(context, payload),
    afterToolResult: (payload, context) => pry(context, payload),
    beforeResponse: (payload, context) => pry(context, payload),
  };
  const { points } = openExtensionPoints([readyPlugin('pry', plugin)], {
    clock,
    notice: (notice) => relayNotice(events, notice),
    context: createContextFactory({
      storage: () => storage,
      services: {
        sessionsOf: (tenant) => createTenantSessions(store, () => tenant),
        toolsOf: () => [],
        mcpServers: () => [],
        runtimeConfig: () => ({}),
      },
      events,
      log,
      redact: (text) => text,
    }),
  });

  /** One turn as the runtime would run it; `given` is what the caller says of the tenant. */
  const runTurn = async (given: Tenant | undefined): Promise<void> => {
    const asking = (): Tenant | undefined => given ?? tenants.current();
    const owner = asking();
    const mark = markOf(owner);
    const see = (what: unknown): void => void sights.push({ owner, what });
    const sessions = createTenantSessions(store, asking);
    const own = createTenantGrants(grants, () => asking()?.tenantId);
    const session = sessions.create(['/w']);
    sessionIds.push(session.id);
    const tenant = resolveTenant({
      explicit: given,
      current: tenants.current(),
      session: { tenant: session.header.tenant, isNew: session.isNew },
    });
    await session.append({ role: 'user', content: [{ type: 'text', text: `find ${mark}` }], timestamp: 1 });
    events.emit('session:created', { sessionId: mark, agentId: 'main' }, tenant);
    const call: PointContext = {
      ...sampleCall('beforeToolCall'),
      sessionId: session.id,
      ...(tenant === undefined ? {} : { tenant }),
    };
    await points.run('beforeLLMRequest', { text: mark }, call);
    const scope = { toolName: 'write', asker: 'host', target: mark, workspace: '/w' };
    await own.add(scope);
    for (const other of foreignTo(owner)) expect(await own.matches({ ...scope, target: other })).toBe(false);
    expect(await own.matches(scope)).toBe(true);
    see(await own.list());
    await points.run('beforeToolCall', { toolName: 'write', args: { mark } }, call);
    await points.run('afterToolResult', { ...samplePayloads.afterToolResult, result: mark }, call);
    await points.run('beforeResponse', { ...samplePayloads.beforeResponse, content: mark }, call);
    const hits = await sessions.search('find', new AbortController().signal);
    see(hits);
    expect(hits.map(({ summary }) => summary.id)).toContain(session.id);
    see(await sessions.summaries());
    see(await Promise.all((await sessions.list()).map((id) => sessions.exportMarkdown(id))));
    for (const id of sessionIds) see((await sessions.open(id))?.messages());
    for (const id of sessionIds)
      if ((await sessions.open(id)) === undefined)
        await expect(sessions.rename(id, mark)).rejects.toMatchObject({ code: 'session_unknown' });
  };
  const turnOf = async (tenant: Tenant | undefined): Promise<void> => {
    if (!isAutomatic || tenant === undefined) await runTurn(tenant);
    else await tenants.run(tenant, () => runTurn(undefined));
  };
  return { turnOf, sights, log };
}

describe.each([
  ['with async contexts', true],
  ['without async contexts', false],
])('tenants of one process, %s', (_, isAutomatic) => {
  it('never see anything of each other, whoever goes on at each await', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.shuffledSubarray([0, 1, 2, 0, 1], { minLength: 2 }),
        async (scheduler, order) => {
          const pause = (): Promise<void> => scheduler.schedule(Promise.resolve());
          const world = openWorld(pause, isAutomatic);
          await scheduler.waitFor(Promise.all(order.map((party) => world.turnOf(parties[party]))));
          for (const { owner, what } of world.sights) {
            const seen = textOf(what);
            for (const mark of foreignTo(owner)) expect(seen).not.toContain(mark);
          }
          for (const { message } of world.log.lines) {
            const party = parties.find((each) => message.includes(markOf(each)));
            expect(message).toContain('saw');
            if (party === undefined) expect(message).not.toContain('tenantId');
            else expect(message).toContain(`"tenantId":"${String(party.tenantId)}"}`);
          }
          // Each has seen its own all the way, or none of this says anything.
          for (const party of new Set(order.map((each) => parties[each]))) {
            const own = world.sights.filter(({ owner }) => owner?.tenantId === party?.tenantId);
            expect(own.filter(({ what }) => textOf(what).includes(markOf(party))).length).toBeGreaterThan(20);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
