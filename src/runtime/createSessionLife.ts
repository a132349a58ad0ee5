import { errorMessage, PincerError } from '../base/errors.ts';
import type { SessionConfig } from '../config/sections/sessionSection.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { SessionEndEvent, SessionEndReason } from '../hooks/payloads/lifecycleHooks.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import { decideReset, lastActivityOf } from '../sessions/decideReset.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { OrphanedSession, OpenSessions } from '../sessions/openSessions.ts';
import type { Session } from '../sessions/session.ts';
import { chatIdFor } from '../sessions/sessionKey.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { AgentCore } from './createAgentCore.ts';
import type { Runs } from './createRuns.ts';
import type { RuntimeInput } from './runtime.ts';

/**
 * Tells plugins and transcripts when sessions begin and end. A session begins with its first turn in this process and ends once
 * for each time that it began. (`compaction` is never a reason here: it ends no session.)
 */
export interface SessionLife {
  /** Before each turn; fires `session_start` the first time. */
  touch(session: Session): void;
  /** The user starts over: `before_reset`, then `session_end`. `next` is the session that comes instead, where it is known. */
  reset(session: Session, reason: 'new' | 'reset', next?: Session): Promise<void>;
  /** It ends for another reason: a rule for pauses, or it is deleted. */
  end(session: Session, reason: 'idle' | 'daily' | 'deleted', next?: Session): Promise<void>;
  /** Ends every session that began here. */
  endAll(reason: SessionEndReason): Promise<void>;
  /** Ends what a dead process left open, with the reason `unknown`; for the start, once plugins listen. Never rejects. */
  endOrphaned(): Promise<void>;
}

interface SessionLifeParts {
  readonly hooks: HookRunner;
  readonly clock: Clock;
  /** Called when a session was reset or is deleted, after its hooks. */
  readonly cleanUp: (session: Session, how: 'reset' | 'delete') => Promise<void>;
  /** Absent, sessions leave no trace of their end on disk. */
  readonly disk?: {
    readonly openSessions: OpenSessions;
    readonly sessions: Pick<SessionStore, 'open'>;
    readonly log: Log;
  };
}

export function createSessionLife({ hooks, clock, cleanUp, disk }: SessionLifeParts): SessionLife {
  const begun = new Map<Session, number>();

  /** A full disk keeps nobody from ending. */
  const writeEnd = async (session: Session, reason: SessionEndReason): Promise<void> => {
    if (session.isNew || session.problem !== undefined) return;
    try {
      await session.markEnd(reason);
    } catch (error) {
      disk?.log.write(
        'error',
        `The end of session ${session.id} could not be stored: ${errorMessage(error)}`,
      );
    }
  };

  const fireEnd = async (
    session: Session,
    event: Partial<SessionEndEvent>,
    next?: Session,
  ): Promise<void> => {
    if (!hooks.has('session_end')) return;
    const full = {
      sessionId: session.id,
      sessionKey: session.key,
      messageCount: session.messages().length,
      ...event,
      ...fileOf(session),
      ...(next === undefined ? {} : { nextSessionId: next.id, nextSessionKey: next.key }),
    };
    await hooks.observe('session_end', full, contextOf(session));
  };

  const leaveTrace = async (session: Session, reason: SessionEndReason): Promise<void> => {
    if (disk === undefined) return;
    // What is deleted needs no end: its file goes.
    if (reason !== 'deleted') await writeEnd(session, reason);
    await disk.openSessions.release(session.id);
  };

  const end = async (session: Session, reason: SessionEndReason, next?: Session): Promise<void> => {
    const startedAt = begun.get(session);
    if (startedAt === undefined) return;
    begun.delete(session);
    const durationMs = clock.monotonic() - startedAt;
    // At once: a plugin's time to end is short, and none of it is spent on waiting for the disk.
    await Promise.all([fireEnd(session, { durationMs, reason }, next), leaveTrace(session, reason)]);
  };

  const endOrphan = async ({ sessionId, since }: OrphanedSession): Promise<void> => {
    const session = await disk?.sessions.open(sessionId);
    // Taken up again meanwhile, or it died after it had ended.
    if (session === undefined || begun.has(session) || session.entries().at(-1)?.type === 'end') return;
    const last = session.entries().findLast((entry) => entry.type === 'message')?.message.timestamp;
    await writeEnd(session, 'unknown');
    const duration = last === undefined || last < since ? {} : { durationMs: last - since };
    await fireEnd(session, { ...duration, reason: 'unknown' });
  };

  return {
    touch(session) {
      if (begun.has(session)) return;
      begun.set(session, clock.monotonic());
      void disk?.openSessions.mark(session.id, clock.now());
      if (!hooks.has('session_start')) return;
      const event = { sessionId: session.id, sessionKey: session.key };
      const resumed = session.isNew ? event : { ...event, resumedFrom: session.id };
      void hooks.observe('session_start', resumed, contextOf(session));
    },
    async reset(session, reason, next) {
      if (hooks.has('before_reset')) {
        const event = { messages: session.messages(), reason, ...fileOf(session) };
        await hooks.observe('before_reset', event, contextOf(session));
      }
      await end(session, reason, next);
      await cleanUp(session, 'reset');
    },
    async end(session, reason, next) {
      await end(session, reason, next);
      await cleanUp(session, reason === 'deleted' ? 'delete' : 'reset');
    },
    async endAll(reason) {
      await Promise.all([...begun.keys()].map((session) => end(session, reason)));
    },
    async endOrphaned() {
      for (const orphan of (await disk?.openSessions.takeOrphaned()) ?? []) {
        try {
          await endOrphan(orphan);
        } catch (error) {
          disk?.log.write('warn', `Session ${orphan.sessionId} could not be closed: ${errorMessage(error)}`);
        }
      }
    },
  };
}

function contextOf(session: Session): { agentId: string; sessionId: string; sessionKey: string } {
  return { agentId: session.agentId, sessionId: session.id, sessionKey: session.key };
}

/** Nothing was said in a session without a file. */
function fileOf(session: Session): { readonly sessionFile?: string } {
  return session.isNew ? {} : { sessionFile: session.file };
}

interface RotationParts {
  /** True where a turn of the session runs: then there was no pause, and what waits is for that turn. */
  readonly isRunning: boolean;
  readonly clock: Clock;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly life: Pick<SessionLife, 'end'>;
  readonly inbox: Pick<Inbox, 'open' | 'add' | 'removeSession'>;
  readonly reset: SessionConfig['reset'];
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Reads what other processes have added to a session. */
  readonly catchUp: (session: Session) => Promise<void>;
}

/**
 * The session in which a turn begins: the given one, or where the rule for pauses says so a fresh one of the same agent and
 * settings, with the messages that wait; the given one then ends. A started agent's session is one task and has no pauses.
 */
export async function rotateSession(parts: RotationParts, session: Session): Promise<Session> {
  if (parts.isRunning || session.header.kind === 'subagent') return session;
  const decide = (): ReturnType<typeof decideReset> =>
    decideReset(parts.clock.now(), lastActivityOf(session.entries()), parts.reset);
  if (decide() === undefined) return session;
  // Whatever another window has added makes the pause shorter.
  await parts.catchUp(session);
  const reason = decide();
  if (reason === undefined) return session;
  const { agentId, tenant } = session.header;
  const chatId = chatIdFor(agentId, session.key);
  const next = parts.sessions.create(parts.folders, {
    agentId,
    ...(chatId === undefined ? {} : { chatId }),
    ...(tenant === undefined ? {} : { tenant }),
  });
  if (Object.keys(session.settings()).length > 0) await next.setSettings(session.settings());
  await moveWaiting(parts.inbox, session.id, next.id);
  await parts.life.end(session, reason, next);
  return next;
}

/** What the user said and nobody read goes along. A crash in between leaves it in both places rather than in none. */
async function moveWaiting(inbox: RotationParts['inbox'], from: string, to: string): Promise<void> {
  const waiting = await inbox.open(from);
  for (const { kind, text, from: said } of waiting) await inbox.add(to, kind, text, said);
  if (waiting.length > 0) await inbox.removeSession(from);
}

interface ResetParts {
  readonly life: SessionLife;
  readonly events: InternalEvents;
  readonly input: Pick<RuntimeInput, 'surface'>;
  readonly folders: readonly string[];
}

/**
 * The user starts over: operator hooks first, then plugins. Gives the texts that hooks have for the user. `next` is the session
 * that comes instead, where it is known already.
 */
export async function resetSession(
  { life, events, input, folders }: ResetParts,
  session: Session,
  action: 'new' | 'reset',
  next?: Session,
): Promise<readonly string[]> {
  const [workspaceDir] = folders;
  const context = {
    sessionEntry: { sessionId: session.id },
    previousSessionEntry: { sessionId: session.id },
    commandSource: input.surface,
    senderId: 'user',
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
  };
  const texts = events.has('command', action)
    ? await events.emit('command', action, { sessionKey: session.key, context })
    : [];
  await life.reset(session, action, next);
  return texts;
}

interface RemovalParts extends Pick<
  AgentCore,
  'sessions' | 'inbox' | 'turnLocks' | 'agents' | 'prompts' | 'tools'
> {
  readonly runs: Runs;
  readonly life: SessionLife;
}

/**
 * Deletes a conversation: what runs of it is cancelled, plugins hear of its end, then its files go and with them whatever was
 * kept of it in memory.
 * @throws PincerError `session_unknown`, `session_in_use`
 */
export async function removeSession(parts: RemovalParts, id: string): Promise<void> {
  const { sessions, inbox, agents, prompts, runs, life } = parts;
  await sessions.checkRemoval(id);
  agents.subagents.stopAllOf(id);
  await runs.clear(id);
  const session = await openWhereReadable(sessions, id);
  if (session !== undefined) {
    await life.end(session, 'deleted');
    await inbox.removeSession(id);
    parts.tools.end(session);
  }
  prompts.forget(id);
  await sessions.remove(id);
  await parts.turnLocks.remove(id);
}

/** What can't be read has no life to end; it can be deleted all the same. */
async function openWhereReadable(
  sessions: RemovalParts['sessions'],
  id: string,
): Promise<Session | undefined> {
  try {
    return await sessions.open(id);
  } catch (error) {
    if (error instanceof PincerError && error.code === 'session_unreadable') return undefined;
    throw error;
  }
}
