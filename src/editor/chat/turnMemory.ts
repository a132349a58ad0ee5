import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';

/** A turn that an earlier host process left behind. */
export interface RememberedTurn {
  readonly sessionId: string;
  /** To find the turn in the panel's history; the words themselves are kept nowhere. */
  readonly promptHash: string;
  /** False once it had ended. */
  readonly isOpen: boolean;
  /** The process that runs it. */
  readonly pid?: number;
  /** How the chat came to this session. */
  readonly move?: ChatMove;
}

/** A chat went on with another session: by `/new` or `/resume`, with another agent, or after a pause. */
export interface ChatMove {
  /** The session that it left. */
  readonly from: string;
  /** `chatHash` of the requests before the one that moved it, and of these with that one. */
  readonly before: string;
  readonly after: string;
  /** The agent of the session that came: it has no transcript until something is said in it. */
  readonly agentId: string;
}

/** What the panel still has of a chat. */
export interface ShownChat {
  /** Every request, oldest first: `/` with the command, if any, and what was said. */
  readonly requests: readonly string[];
  /** What was said last, where the panel has no whole answer to that. */
  readonly unanswered?: string | undefined;
  /** The session that the newest whole answer names. */
  readonly named?: string | undefined;
}

/**
 * Remembers the newest turns, and which session a chat went on with, beside the transcripts. The panel stores an answer a moment
 * after it came: a reload in that moment shows the chat without it, and what was cut off has no metadata at all. Then only this
 * tells which session the chat belongs to. VS Code's own `Memento` is no help: it, too, is written a moment later.
 */
export interface TurnMemory {
  begin(sessionId: string, prompt: string): Promise<void>;
  end(sessionId: string): Promise<void>;
  /** The chat has gone on with this session; on disk when it resolves. */
  move(sessionId: string, move: ChatMove): Promise<void>;
  /**
   * The session that a chat belongs to: that of its last turn, or where an earlier host process had taken the chat from there. With
   * the agent in that case: nothing may have been said in it yet.
   */
  sessionOf(chat: ShownChat): Promise<{ readonly sessionId: string; readonly agentId?: string } | undefined>;
  /** The newest turn of an earlier host process that never ended. */
  interrupted(): Promise<RememberedTurn | undefined>;
  /** The user does not want to go on with it. */
  forget(sessionId: string): Promise<void>;
}

/** More chats than anybody has open at once. */
const maxTurns = 20;

export function createTurnMemory(file: string, report: (problem: string) => void): TurnMemory {
  const started = new Set<string>();

  // Another window of the folder writes the same file.
  const load = async (): Promise<readonly RememberedTurn[]> => await readTurns(file, report);
  const earlier = async (): Promise<readonly RememberedTurn[]> =>
    (await load()).filter((turn) => !started.has(turn.sessionId));
  let changes: Promise<void> = Promise.resolve();
  /** One after the other, so that no change is lost to another one of this process. */
  const change = async (
    sessionId: string,
    update: (turn: RememberedTurn | undefined) => RememberedTurn | undefined,
  ): Promise<void> => {
    changes = changes.then(async () => {
      const turns = await load();
      const others = turns.filter((each) => each.sessionId !== sessionId);
      const turn = update(turns.find((each) => each.sessionId === sessionId));
      write(file, turn === undefined ? others : [...others, turn].slice(-maxTurns), report);
    });
    await changes;
  };

  return {
    async begin(sessionId, prompt) {
      started.add(sessionId);
      const turn = { sessionId, promptHash: hashOf(prompt), isOpen: true, pid: process.pid };
      await change(sessionId, (known) => ({ ...known, ...turn }));
    },
    end: (sessionId) => change(sessionId, (turn) => turn && { ...turn, isOpen: false }),
    async move(sessionId, move) {
      started.add(sessionId);
      const nothingAsked = { sessionId, promptHash: '', isOpen: false };
      await change(sessionId, (known) => ({ ...nothingAsked, ...known, move }));
    },
    async sessionOf({ requests, unanswered, named }) {
      const turns = await earlier();
      const promptHash = unanswered === undefined ? undefined : hashOf(unanswered);
      const last = turns.findLast((turn) => turn.promptHash === promptHash)?.sessionId ?? named;
      return last === undefined ? undefined : movedFrom(last, chatHash(requests), turns);
    },
    interrupted: async () => (await earlier()).findLast((turn) => turn.isOpen && !runsElsewhere(turn)),
    forget: (sessionId) => change(sessionId, () => undefined),
  };
}

/** Where a chat with this `chatHash` went from a session; that session itself where it went nowhere. Pure. */
function movedFrom(
  sessionId: string,
  chat: string,
  turns: readonly RememberedTurn[],
): { readonly sessionId: string; readonly agentId?: string } {
  const chats = new Set([chat]);
  const seen = new Set([sessionId]);
  let found: { sessionId: string; agentId?: string } = { sessionId };
  for (;;) {
    const isNext = ({ sessionId: next, move }: RememberedTurn): boolean =>
      move?.from === found.sessionId && !seen.has(next) && (chats.has(move.before) || chats.has(move.after));
    const next = turns.findLast(isNext);
    if (next?.move === undefined) return found;
    found = { sessionId: next.sessionId, agentId: next.move.agentId };
    seen.add(next.sessionId);
    // More than one move may be missing in the history.
    chats.add(next.move.after);
  }
}

/** What a chat was asked, as one short text: the words themselves are kept nowhere. */
export function chatHash(requests: readonly string[]): string {
  return hashOf(JSON.stringify(requests));
}

/**
 * Synchronous, a few kilobytes: it must be on disk when the window goes away in the next moment, and whole whenever that is.
 */
function write(file: string, turns: readonly RememberedTurn[], report: (problem: string) => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}.tmp`, JSON.stringify(turns));
    renameSync(`${file}.${process.pid}.tmp`, file);
  } catch (error) {
    report(`${file}: ${errorMessage(error)}`);
  }
}

/** True where another window that lives runs it. */
function runsElsewhere({ pid }: RememberedTurn): boolean {
  if (pid === undefined || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // It has ended, or is somebody else's and so none of our windows.
    return false;
  }
}

function hashOf(prompt: string): string {
  return createHash('sha256').update(prompt).digest('hex');
}

async function readTurns(
  file: string,
  report: (problem: string) => void,
): Promise<readonly RememberedTurn[]> {
  try {
    const value = parseJson(await readFile(file, 'utf8'));
    return Array.isArray(value) ? value.filter(isTurn) : [];
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) report(`${file}: ${errorMessage(error)}`);
    return [];
  }
}

function isTurn(value: unknown): value is RememberedTurn {
  return (
    isRecord(value) &&
    typeof value['sessionId'] === 'string' &&
    typeof value['promptHash'] === 'string' &&
    typeof value['isOpen'] === 'boolean' &&
    (value['move'] === undefined || isMove(value['move']))
  );
}

function isMove(value: unknown): value is ChatMove {
  const keys: readonly (keyof ChatMove)[] = ['from', 'before', 'after', 'agentId'];
  return isRecord(value) && keys.every((key) => typeof value[key] === 'string');
}
