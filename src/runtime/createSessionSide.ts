import { join } from 'node:path';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import { createInbox, readInboxIds, type Inbox } from '../sessions/createInbox.ts';
import { createOpenSessions, type OpenSessions } from '../sessions/openSessions.ts';
import {
  type SessionPatch,
  createPluginSessionState,
  type PluginSessionState,
} from '../sessions/pluginSessionState.ts';
import { createSessionStore, type SessionStore, type SessionStoreDeps } from '../sessions/sessionStore.ts';
import { createTurnLocks, type TurnLocks } from '../sessions/turnLocks.ts';
import { capResult } from '../tools/pipeline/toolResult.ts';
import type { RuntimeInput } from './runtime.ts';

interface SessionSideParts {
  readonly input: RuntimeInput;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly events: InternalEvents;
  /** A line of a session is on disk. Must not throw. */
  readonly onStored: NonNullable<SessionStoreDeps['onStored']>;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Everything of conversations that lies on disk: `<state>/sessions`. */
export interface SessionSide {
  readonly sessions: SessionStore;
  readonly inbox: Inbox;
  /** Which sessions are open in which process. */
  readonly openSessions: OpenSessions;
  /** Which process has a turn of which session. */
  readonly turnLocks: TurnLocks;
  /** What plugins keep of sessions. */
  readonly state: PluginSessionState;
}

export function createSessionSide({
  input,
  redact,
  events,
  onStored,
  report,
}: SessionSideParts): SessionSide {
  const { host } = input;
  const folder = join(input.stateFolder, 'sessions');
  const { ownPid } = host.processes;
  const owner = createProcessOwner((pid) => host.processes.startTimeOf(pid), ownPid);
  const openSessions = createOpenSessions({
    ...host,
    owner,
    pid: ownPid,
    folder: join(input.stateFolder, 'open'),
  });
  const turnLocks = createTurnLocks({ ...host, owner, folder: join(input.stateFolder, 'turns') });
  const sessions = createSessionStore({
    ...host,
    folder,
    channel: input.surface,
    redact,
    capResult,
    isOpenElsewhere: (id) => openSessions.isOpenElsewhere(id),
    isInTurnElsewhere: (id) => turnLocks.isTakenElsewhere(id),
    onStored,
    report,
  });
  const inbox = createInbox({
    ...host,
    folder,
    redact,
    report,
    readIds: async (id) => readInboxIds((await sessions.open(id))?.entries() ?? []),
  });
  const state = createPluginSessionState({
    ...host,
    folder,
    sessionOf: (key) => sessions.ofKey(key),
    patched: (change) => tellOfPatch(events, change),
    report,
  });
  return { sessions, inbox, openSessions, turnLocks, state };
}

/** `session:patch`: who changed what is kept of a session; the value itself is its plugin's. Nobody waits for the handlers. */
function tellOfPatch(
  events: InternalEvents,
  { sessionKey, sessionId, pluginId, namespace }: SessionPatch,
): void {
  if (!events.has('session', 'patch')) return;
  const context = { sessionEntry: { sessionId }, patch: { pluginId, namespace } };
  void events.emit('session', 'patch', { sessionKey, context });
}
