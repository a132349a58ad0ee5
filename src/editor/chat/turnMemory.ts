import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';

/** A turn that an earlier host process left behind. */
export interface RememberedTurn {
  readonly sessionId: string;
  /** To find the turn in the panel's history; the words themselves are kept nowhere (rulings H12). */
  readonly promptHash: string;
  /** False once it had ended. */
  readonly isOpen: boolean;
  /** The process that runs it. */
  readonly pid?: number;
}

/**
 * Remembers the newest turns beside the transcripts. The panel stores an answer a moment after it came, and of a turn that
 * was cut off it keeps no metadata at all; then only this tells which session the chat belongs to. VS Code's own `Memento`
 * is no help: it, too, is written a moment later.
 */
export interface TurnMemory {
  begin(sessionId: string, prompt: string): Promise<void>;
  end(sessionId: string): Promise<void>;
  /** The turn of an earlier host process that asked this. */
  find(prompt: string): Promise<RememberedTurn | undefined>;
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
  const change = async (sessionId: string, turn: RememberedTurn | undefined): Promise<void> => {
    const others = (await load()).filter((each) => each.sessionId !== sessionId);
    const turns = turn === undefined ? others : [...others, turn].slice(-maxTurns);
    try {
      // Synchronous, a few hundred bytes: it must be on disk when the window goes away in the next moment.
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(turns));
    } catch (error) {
      report(`${file}: ${errorMessage(error)}`);
    }
  };

  return {
    async begin(sessionId, prompt) {
      started.add(sessionId);
      await change(sessionId, { sessionId, promptHash: hashOf(prompt), isOpen: true, pid: process.pid });
    },
    async end(sessionId) {
      const turn = (await load()).find((each) => each.sessionId === sessionId);
      if (turn !== undefined) await change(sessionId, { ...turn, isOpen: false });
    },
    async find(prompt) {
      const promptHash = hashOf(prompt);
      return (await earlier()).findLast((turn) => turn.promptHash === promptHash);
    },
    interrupted: async () => (await earlier()).findLast((turn) => turn.isOpen && !runsElsewhere(turn)),
    forget: (sessionId) => change(sessionId, undefined),
  };
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
    typeof value['isOpen'] === 'boolean'
  );
}
