import type { Memento } from 'vscode';

/** A turn that began in this workspace and has not ended. */
export interface OpenTurn {
  readonly sessionId: string;
  /** What the user had asked, to find the turn in the panel's history. */
  readonly prompt: string;
}

/**
 * Remembers the running turn outside the host process: after a reload or a crash the panel's history holds an empty answer
 * without metadata, and only this tells which session it belongs to.
 */
export interface OpenTurns {
  begin(turn: OpenTurn): void;
  end(sessionId: string): void;
  /** A turn of an earlier host process that never ended. */
  interrupted(): OpenTurn | undefined;
  /** The user went on or did not want to. */
  forget(): void;
}

const key = 'pincer.openTurn';

export function createOpenTurns(memento: Memento): OpenTurns {
  let left = memento.get<OpenTurn>(key);
  return {
    begin: (turn) => void memento.update(key, turn),
    end(sessionId) {
      if (memento.get<OpenTurn>(key)?.sessionId === sessionId) void memento.update(key, undefined);
    },
    interrupted: () => left,
    forget() {
      if (memento.get<OpenTurn>(key)?.sessionId === left?.sessionId) void memento.update(key, undefined);
      left = undefined;
    },
  };
}
