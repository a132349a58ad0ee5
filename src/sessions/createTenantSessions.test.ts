import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentMessage } from '../contracts/message.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createInbox } from './createInbox.ts';
import { createTenantInbox } from './createTenantInbox.ts';
import { createTenantSessions } from './createTenantSessions.ts';
import type { Session } from './session.ts';
import { createSessionStore, type SessionStore } from './sessionStore.ts';
import type { SessionTenant } from './visibleToTenant.ts';

const a: SessionTenant = { tenantId: 'a', userId: 'ada' };
const b: SessionTenant = { tenantId: 'b' };
const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1,
});
const never = new AbortController().signal;
const unknown = expect.objectContaining({ code: 'session_unknown' }) as Error;

describe('sessions of tenants', () => {
  let folder: string;
  let store: SessionStore;
  const host = { fs: createNodeFileSystem(), clock: createManualClock(5), log: createInMemoryLog() };
  const reopen = (): SessionStore => createSessionStore({ ...host, folder, channel: 'cli' });
  const of = (tenant?: SessionTenant): SessionStore => createTenantSessions(store, () => tenant);
  const say = async (tenant: SessionTenant | undefined, text: string): Promise<Session> => {
    const session = of(tenant).create(['/w']);
    await session.append(user(text));
    return session;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-tenants-'));
    store = reopen();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('belong to the tenant that began them, also after a restart and in lists', async () => {
    const { id } = await say(a, 'One');
    store = reopen();
    expect((await store.open(id))?.header.tenant).toEqual(a);
    expect(await store.summaries()).toMatchObject([{ id, tenant: a }]);
  });

  it('take their tenant along into a fork', async () => {
    const session = await say(a, 'One');
    const fork = await of(a).fork(session, undefined, ['/w']);
    store = reopen();
    expect((await store.open(fork.id))?.header.tenant).toEqual(a);
    await expect(of(b).fork(session, undefined, [])).rejects.toThrow(unknown);
  });

  it.each([
    ['a tenant', a],
    ['another tenant', b],
    ['nobody', undefined],
  ])('are there for %s alone', async (_, owner) => {
    const { id } = await say(owner, 'needle');
    const rights = [a, b, undefined].map((tenant) => ({ tenant, mine: tenant === owner ? [id] : [] }));
    for (const { tenant, mine } of rights) {
      const sessions = of(tenant);
      expect(await sessions.list()).toEqual(mine);
      expect((await sessions.summaries()).map((each) => each.id)).toEqual(mine);
      expect((await sessions.search('needle', never)).map(({ summary }) => summary.id)).toEqual(mine);
      expect((await sessions.open(id))?.id).toBe(mine[0]);
      expect(sessions.peek(id)?.id).toBe(mine[0]);
      expect((await sessions.summary(id))?.id).toBe(mine[0]);
    }
  });

  it.each<[string, (sessions: SessionStore, id: string) => Promise<unknown>]>([
    ['renamed', (sessions, id) => sessions.rename(id, 'Mine')],
    ['exported', (sessions, id) => sessions.exportMarkdown(id)],
    ['read', (sessions, id) => sessions.readWhole(id)],
    ['checked for removal', (sessions, id) => sessions.checkRemoval(id)],
    ['removed', (sessions, id) => sessions.remove(id)],
  ])('are %s by nobody else, in memory or on disk', async (_, act) => {
    const { id } = await say(a, 'One');
    for (const stranger of [b, undefined]) await expect(act(of(stranger), id)).rejects.toThrow(unknown);
    store = reopen();
    for (const stranger of [b, undefined]) await expect(act(of(stranger), id)).rejects.toThrow(unknown);
    await act(of(a), id);
  });

  it('are nobody else’s before anything was said in them, either', async () => {
    const session = of(a).create([]);
    expect(await of(b).open(session.id)).toBeUndefined();
    await expect(of(b).rename(session.id, 'Mine')).rejects.toThrow(unknown);
    expect(await of(a).open(session.id)).toBe(session);
  });

  it('are made for no other tenant than the own one', () => {
    expect(of(a).create([], { tenant: b }).header.tenant).toEqual(a);
    expect(of().create([], { tenant: b }).header.tenant).toBeUndefined();
  });

  it('ask for the tenant when the call begins, not when the disk has answered', async () => {
    const { id } = await say(a, 'needle');
    let tenant: SessionTenant = b;
    const sessions = createTenantSessions(store, () => tenant);
    const asked = [sessions.open(id), sessions.list(), sessions.summaries(), sessions.summary(id)] as const;
    const found = sessions.search('needle', never);
    const renamed = expect(sessions.rename(id, 'Mine')).rejects.toThrow(unknown);
    tenant = a;
    expect(await Promise.all(asked)).toEqual([undefined, [], [], undefined]);
    expect(await found).toEqual([]);
    await renamed;
  });

  it('stay closed where their tenant can’t be read: then they are nobody’s either', async () => {
    const { id, file } = await say(a, 'One');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"tenantId":"a"', '"tenantId":7'));
    store = reopen();
    await expect(of().open(id)).rejects.toMatchObject({ code: 'session_unreadable' });
    expect(await of(a).list()).toEqual([]);
  });

  it('can be given to a tenant as long as nothing is stored of them', async () => {
    const session = store.create([]);
    session.adopt(a);
    session.adopt({ tenantId: 'a', userId: 'another user' });
    expect(() => session.adopt(b)).toThrow(
      expect.objectContaining({ code: 'session_tenant_fixed' }) as Error,
    );
    await session.append(user('One'));
    store = reopen();
    expect((await store.open(session.id))?.header.tenant).toEqual(a);
    const old = await say(undefined, 'Two');
    expect(() => old.adopt(a)).toThrow(expect.objectContaining({ code: 'session_tenant_fixed' }) as Error);
  });

  it('show nobody else what waits in them', async () => {
    const inbox = createInbox({ ...host, folder, readIds: () => Promise.resolve(new Set<string>()) });
    const { id } = await say(a, 'One');
    const own = createTenantInbox(inbox, of(a));
    const { id: message } = await own.add(id, 'steer', 'secret');
    for (const stranger of [b, undefined]) {
      const theirs = createTenantInbox(inbox, of(stranger));
      expect([theirs.list(id), await theirs.open(id), theirs.take(id, 'steer')]).toEqual([[], [], []]);
      await expect(theirs.add(id, 'steer', 'Mine')).rejects.toThrow(unknown);
      expect(await theirs.edit(id, message, { text: 'Mine' })).toBe(false);
      expect(await theirs.remove(id, message)).toBe(false);
      expect(await theirs.move(id, message, null)).toBe(false);
      await theirs.settle(id, [message]);
      await theirs.removeSession(id);
    }
    expect(own.list(id).map(({ text }) => text)).toEqual(['secret']);
  });
});
