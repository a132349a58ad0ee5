import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmitter } from '../base/event.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createInbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import { createSessionStore, type SessionStore } from '../sessions/sessionStore.ts';
import type { SessionTenant } from '../sessions/visibleToTenant.ts';
import type { Conversations } from './conversations.ts';
import { createConversations, type ConversationsParts } from './createConversations.ts';

const a = { tenantId: 'a' };
const b = { tenantId: 'b' };

describe('conversations of tenants', () => {
  let folder: string;
  let sessions: SessionStore;
  let session: Session;
  let tenant: SessionTenant | undefined;
  let conversations: Conversations;
  let cancelled: number;
  let removed: string[];
  let takenElsewhere: string | undefined;
  const started = { sessionId: 'child' };
  const host = { fs: createNodeFileSystem(), clock: createManualClock(5), log: createInMemoryLog() };
  const openStore = (): SessionStore => createSessionStore({ ...host, folder, channel: 'cli' });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-conversations-'));
    sessions = openStore();
    session = sessions.create(['/w'], { tenant: a });
    await session.append({ role: 'user', content: [{ type: 'text', text: 'needle' }], timestamp: 1 });
    cancelled = 0;
    removed = [];
    takenElsewhere = undefined;
    const turn = { session, startedAt: 0, cancel: () => void (cancelled += 1) };
    const parts = {
      sessions,
      inbox: createInbox({ ...host, folder, readIds: () => Promise.resolve(new Set<string>()) }),
      runs: {
        current: (id: string) => (id === session.id ? turn : undefined),
        all: () => [turn],
        catchUp: (each: Session) => each.catchUp(),
      },
      turnLocks: { isTakenElsewhere: (id: string) => Promise.resolve(id === takenElsewhere) },
      agents: {
        subagents: {
          onDidChange: createEmitter().event,
          list: () => [started],
          stop: () => true,
        },
      },
      prompts: {},
      folders: () => ['/w'],
      tenant: () => tenant,
      removeSession: (id: string) => Promise.resolve(void removed.push(id)),
    };
    // The parts that answer questions about one session are left out: whoever has the session may ask.
    ({ conversations } = createConversations(parts as unknown as ConversationsParts));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** What there is to see and to do, by way of the session's id. */
  const seen = async (of: Conversations): Promise<unknown> => ({
    summaries: (await of.summaries()).map(({ id }) => id),
    hits: (await of.search('needle', new AbortController().signal)).length,
    running: of.running(session.id) !== undefined,
    turns: of.runningTurns().length,
    subagents: of.subagents(session.id).length,
    stopped: [of.stopTurn(session.id), of.stopSubagent(session.id)],
    waiting: (await of.inbox.open(session.id)).length,
  });
  const everything = () => ({
    ...{ summaries: [session.id], hits: 1, running: true, turns: 1, subagents: 1 },
    ...{ stopped: [true, true], waiting: 1 },
  });
  const nothing = {
    ...{ summaries: [], hits: 0, running: false, turns: 0, subagents: 0 },
    ...{ stopped: [false, false], waiting: 0 },
  };

  it('are there for the tenant of the code that asks, with their turns and messages, and for nobody else', async () => {
    tenant = a;
    await conversations.inbox.add(session.id, 'steer', 'wait');
    expect(await seen(conversations)).toEqual(everything());
    for (tenant of [b, undefined]) expect(await seen(conversations)).toEqual(nothing);
    expect(cancelled).toBe(1);
  });

  it('are there for a tenant that is named, whoever runs', async () => {
    tenant = b;
    await conversations.forTenant(a).inbox.add(session.id, 'steer', 'wait');
    expect(await seen(conversations.forTenant(a))).toEqual(everything());
    tenant = a;
    expect(await seen(conversations.forTenant(b))).toEqual(nothing);
  });

  it.each<[string, (of: Conversations) => Promise<unknown>]>([
    ['renamed', (of) => of.rename(session.id, 'Mine')],
    ['forked', (of) => of.fork(session.id)],
    ['exported', (of) => of.exportMarkdown(session.id)],
    ['removed', (of) => of.remove(session.id)],
  ])('are %s by their tenant alone', async (_, act) => {
    for (tenant of [b, undefined])
      await expect(act(conversations)).rejects.toMatchObject({ code: 'session_unknown' });
    expect(removed).toEqual([]);
    tenant = a;
    await act(conversations);
    expect((await sessions.summaries()).every(({ tenant: owner }) => owner?.tenantId === 'a')).toBe(true);
  });

  it('call a turn without an end interrupted only where nobody runs it', async () => {
    const other = sessions.create(['/w']);
    await other.markTurn('r', 'started');
    expect(await conversations.lastTurn(other)).toBe('interrupted');
    takenElsewhere = other.id;
    expect(await conversations.lastTurn(other)).toBe('elsewhere');
    takenElsewhere = undefined;
    await (await openStore().open(other.id))?.markTurn('r', 'completed');
    expect(await conversations.lastTurn(other)).toBe('ended');
    tenant = a;
    expect(await conversations.lastTurn(session)).toBe('running');
  });
});
