import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHooks } from '../../test/builders/createTestHooks.ts';
import type { SessionConfig } from '../config/sections/sessionSection.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createOpenSessions } from '../sessions/openSessions.ts';
import { createInbox, type Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import { createSessionStore, type SessionStore } from '../sessions/sessionStore.ts';
import { createSessionLife, type SessionLife, rotateSession } from './createSessionLife.ts';

/** A process with sessions on disk; what plugins and the clean-up were told is in `told`. */
interface World {
  readonly sessions: SessionStore;
  readonly inbox: Inbox;
  readonly life: SessionLife;
  readonly told: unknown[];
  /** Resolves when all marks are on disk. */
  readonly marked: () => Promise<void>;
}

describe('the life of sessions', () => {
  let root: string;
  let clock: ManualClock;
  let alive: Set<number>;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pincer-life-'));
    clock = createManualClock(1_000);
    alive = new Set([1, 2]);
  });
  afterEach(() => rm(root, { recursive: true }));

  const start = (pid: number): World => {
    const told: unknown[] = [];
    const host = { fs: createNodeFileSystem(), log: createInMemoryLog(), clock };
    const sessions = createSessionStore({ ...host, folder: root, channel: 'cli' });
    const owner = createProcessOwner(async (each) => (alive.has(each) ? 'now' : undefined), pid);
    const openSessions = createOpenSessions({ ...host, owner, pid, folder: join(root, 'open') });
    const life = createSessionLife({
      hooks: listenTo(told),
      clock,
      cleanUp: async ({ key }, how) => void told.push({ cleanUp: how, key }),
      disk: { openSessions, sessions, log: host.log },
    });
    const inbox = createInbox({ ...host, folder: root, readIds: async () => new Set() });
    return { sessions, inbox, life, told, marked: () => openSessions.release('no session') };
  };
  const say = async (session: Session, timestamp = clock.now()): Promise<void> => {
    await session.append({ role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp });
  };
  const endsIn = async (session: Session): Promise<readonly string[]> =>
    [...(await readFile(session.file, 'utf8')).matchAll(/"type":"end".*?"reason":"(\w+)"/gu)].map(
      ([, reason = '']) => reason,
    );

  it('a session that is deleted ends with that reason, and what plugins keep of it is deleted', async () => {
    const { sessions, life, told } = start(1);
    const session = sessions.create([]);
    life.touch(session);
    await say(session);
    await life.end(session, 'deleted');
    expect(told).toEqual([
      'session_start',
      expect.objectContaining({ reason: 'deleted', messageCount: 1, sessionFile: session.file }),
      { cleanUp: 'delete', key: session.key },
    ]);
  });

  it('ends once for each time it began, and the transcript says why', async () => {
    const { sessions, life, told } = start(1);
    const session = sessions.create([]);
    life.touch(session);
    await say(session);
    clock.advance(50);
    await life.endAll('shutdown');
    await life.endAll('shutdown');
    expect(told.slice(1)).toEqual([expect.objectContaining({ reason: 'shutdown', durationMs: 50 })]);
    expect(await endsIn(session)).toEqual(['shutdown']);
  });

  it('what a dead process left open ends at the next start with the reason unknown, once', async () => {
    const before = start(1);
    const session = before.sessions.create([]);
    before.life.touch(session);
    await say(session, 1_400);
    await before.marked();
    alive.delete(1);
    const { life, told } = start(2);
    await life.endOrphaned();
    await life.endOrphaned();
    expect(told).toEqual([
      expect.objectContaining({
        sessionId: session.id,
        sessionKey: session.key,
        messageCount: 1,
        durationMs: 400,
        reason: 'unknown',
        sessionFile: session.file,
      }),
    ]);
    expect(await endsIn(session)).toEqual(['unknown']);
  });

  it('what another living window has open is left alone, and what ended before the crash too', async () => {
    const one = start(1);
    const open = one.sessions.create([]);
    const over = one.sessions.create([]);
    for (const session of [open, over]) {
      one.life.touch(session);
      await say(session);
    }
    await one.marked();
    const two = start(2);
    await two.life.endOrphaned();
    await over.markEnd('idle');
    expect(two.told).toEqual([]);
    alive.delete(1);
    const three = start(3);
    await three.life.endOrphaned();
    expect(three.told).toMatchObject([{ sessionId: open.id }]);
    expect(await endsIn(over)).toEqual(['idle']);
  });

  describe('rotateSession', () => {
    const idle: SessionConfig['reset'] = { mode: 'idle', idleMs: 100, atHour: 4 };
    const rotate = async (
      { sessions, inbox, life }: World,
      session: Session,
      isRunning = false,
      catchUp = async (): Promise<void> => undefined,
    ): Promise<Session> =>
      await rotateSession(
        { isRunning, clock, sessions, inbox, life, reset: idle, folders: ['/w'], catchUp },
        session,
      );

    it('after a pause the turn begins in a fresh session of the same agent, settings and waiting messages, and the old one ends', async () => {
      const world = start(1);
      const session = world.sessions.create([], { agentId: 'writer' });
      world.life.touch(session);
      await say(session);
      await session.setSettings({ model: 'p/m' });
      await world.inbox.add(session.id, 'followUp', 'and then this');
      clock.advance(100);
      const next = await rotate(world, session);
      expect(next.id).not.toBe(session.id);
      expect({ agent: next.agentId, settings: next.settings(), messages: next.messages() }).toEqual({
        ...{ agent: 'writer', settings: { model: 'p/m' }, messages: [] },
      });
      expect(world.inbox.list(next.id)).toMatchObject([{ kind: 'followUp', text: 'and then this' }]);
      expect(world.inbox.list(session.id)).toEqual([]);
      expect(world.told.slice(1)).toEqual([
        expect.objectContaining({ reason: 'idle', nextSessionId: next.id, nextSessionKey: next.key }),
        { cleanUp: 'reset', key: session.key },
      ]);
      expect(await endsIn(session)).toEqual(['idle']);
    });

    it('what another window has said meanwhile makes the pause shorter, and is read only where it matters', async () => {
      const world = start(1);
      const session = world.sessions.create([]);
      await say(session);
      let looks = 0;
      const catchUp = async (): Promise<void> => {
        looks += 1;
        await say(session, clock.now());
      };
      clock.advance(99);
      expect(await rotate(world, session, false, catchUp)).toBe(session);
      expect(looks).toBe(0);
      clock.advance(1);
      expect(await rotate(world, session, false, catchUp)).toBe(session);
      expect(looks).toBe(1);
    });

    it('while a turn of it runs, however long, it goes on and keeps what waits for that turn', async () => {
      const world = start(1);
      const session = world.sessions.create([]);
      await say(session);
      await world.inbox.add(session.id, 'followUp', 'and then this');
      clock.advance(100);
      expect(await rotate(world, session, true)).toBe(session);
      expect(world.inbox.list(session.id)).toHaveLength(1);
    });

    it('before the pause is over it goes on, and so does a started agent and a session in which nothing was said', async () => {
      const world = start(1);
      const session = world.sessions.create([]);
      await say(session);
      clock.advance(99);
      expect(await rotate(world, session)).toBe(session);
      const child = world.sessions.create([], { kind: 'subagent' });
      await say(child, 0);
      expect(await rotate(world, child)).toBe(child);
      const empty = world.sessions.create([]);
      expect(await rotate(world, empty)).toBe(empty);
    });
  });
});

/** A plugin that notes what it is told. */
function listenTo(told: unknown[]): HookRunner {
  const { on, runner } = createTestHooks();
  on('session_start', 'p', () => void told.push('session_start'));
  on('session_end', 'p', (event) => void told.push(event));
  return runner;
}
