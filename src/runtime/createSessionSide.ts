import { join } from 'node:path';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createInbox, readInboxIds } from '../sessions/createInbox.ts';
import type { Inbox } from '../sessions/inbox.ts';
import { createOpenMarks, type OpenMarks } from '../sessions/openMarks.ts';
import {
  createPluginSessionState,
  type PluginSessionState,
  type SessionPatch,
} from '../sessions/pluginSessionState.ts';
import { createSessionStore, type SessionStore } from '../sessions/sessionStore.ts';
import { createTurnLocks, type TurnLocks } from '../sessions/turnLocks.ts';
import { capResult } from '../tools/pipeline/capResult.ts';
import type { RuntimeInput } from './runtime.ts';

export interface SessionSideParts {
  readonly input: RuntimeInput;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** A plugin changed what it keeps of a session. */
  readonly patched: (change: SessionPatch) => void;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Everything of conversations that lies on disk: `<state>/sessions`. */
export interface SessionSide {
  readonly sessions: SessionStore;
  readonly inbox: Inbox;
  /** Which sessions are open in which process. */
  readonly marks: OpenMarks;
  /** Which process has a turn of which session. */
  readonly turnLocks: TurnLocks;
  /** What plugins keep of sessions. */
  readonly state: PluginSessionState;
}

export function createSessionSide({ input, redact, patched, report }: SessionSideParts): SessionSide {
  const { host } = input;
  const folder = join(input.stateFolder, 'sessions');
  const { ownPid } = host.processes;
  const owner = createProcessOwner((pid) => host.processes.startTimeOf(pid), ownPid);
  const marks = createOpenMarks({ ...host, owner, pid: ownPid, folder: join(input.stateFolder, 'open') });
  const turnLocks = createTurnLocks({ ...host, owner, folder: join(input.stateFolder, 'turns') });
  const sessions = createSessionStore({
    ...host,
    folder,
    channel: input.surface,
    redact,
    capResult,
    isOpenElsewhere: (id) => marks.isOpenElsewhere(id),
    isInTurnElsewhere: (id) => turnLocks.isTakenElsewhere(id),
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
    sessionExists: async (id) => (await sessions.open(id)) !== undefined,
    patched,
    report,
  });
  return { sessions, inbox, marks, turnLocks, state };
}
