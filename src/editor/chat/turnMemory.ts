import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRecord, parseJson } from '../../base/json.ts';

/** The newest turn of this workspace. */
export interface RememberedTurn {
  readonly sessionId: string;
  /** What the user had asked, to find the turn in the panel's history. */
  readonly prompt: string;
  /** False once it has ended. */
  readonly isOpen: boolean;
}

/**
 * Remembers the newest turn beside the transcripts. The panel stores an answer a moment after it came, and of a turn that was
 * cut off it keeps no metadata at all; then only this tells which session the chat belongs to. VS Code's own `Memento` is
 * no help: it, too, is written a moment later.
 */
export interface TurnMemory {
  /** A turn begins here: what was left behind is answered with it. */
  begin(turn: Omit<RememberedTurn, 'isOpen'>): Promise<void>;
  end(): void;
  /** The turn that an earlier host process left behind. */
  earlier(): Promise<RememberedTurn | undefined>;
  /** The same, where it never ended. */
  interrupted(): Promise<RememberedTurn | undefined>;
  /** The user does not want to go on with it. */
  forget(): void;
}

export function createTurnMemory(file: string): TurnMemory {
  let left: Promise<RememberedTurn | undefined> | undefined;
  let current: RememberedTurn | undefined;

  const earlier = (): Promise<RememberedTurn | undefined> => (left ??= readTurn(file));
  const write = (turn: RememberedTurn): void => {
    current = turn;
    // Synchronous, a hundred bytes: it must be on disk when the window goes away in the next moment.
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(turn));
  };

  return {
    async begin(turn) {
      // What was left behind has to be read before it is written over.
      await earlier();
      left = Promise.resolve(undefined);
      write({ ...turn, isOpen: true });
    },
    end() {
      if (current?.isOpen === true) write({ ...current, isOpen: false });
    },
    earlier,
    async interrupted() {
      const turn = await earlier();
      return turn?.isOpen === true ? turn : undefined;
    },
    forget() {
      left = Promise.resolve(undefined);
    },
  };
}

async function readTurn(file: string): Promise<RememberedTurn | undefined> {
  const text = await readFile(file, 'utf8').catch(ignoreMissing);
  const turn = text === undefined ? undefined : parseJson(text);
  if (!isRecord(turn) || typeof turn['sessionId'] !== 'string' || typeof turn['prompt'] !== 'string')
    return undefined;
  return { sessionId: turn['sessionId'], prompt: turn['prompt'], isOpen: turn['isOpen'] === true };
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
