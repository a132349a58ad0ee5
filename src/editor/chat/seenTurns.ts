import { hashes } from './chatMemory.ts';

/** A turn of the agent as a request showed it. */
export interface ShownTurn {
  readonly sessionId: string;
  readonly runId: string;
}

/** What the panel shows of a chat, oldest first. */
export interface ShownTurns {
  /** The chat, by what its answers say of themselves. */
  readonly chatId: string;
  /** Every request, as in `ShownChat`. */
  readonly requests: readonly string[];
  /** What the answer to each of them says; undefined where it says nothing. */
  readonly turns: readonly (ShownTurn | undefined)[];
}

/**
 * The turns that this window has seen in its chats. VS Code tells of no Restore Checkpoint, Retry or edited message: the next request just
 * shows less. What a reload lost was never seen by the host that runs now, so it is not taken for removed.
 */
export interface SeenTurns {
  /** Notes what a request shows; gives the turns of its chat that were seen before and are gone, oldest first. */
  look(shown: ShownTurns): readonly ShownTurn[];
  /** The request after these began a turn. */
  ran(shown: Omit<ShownTurns, 'turns'>, turn: ShownTurn): void;
}

interface Seen extends ShownTurn {
  /** Where its request stood, from 1. */
  readonly at: number;
  /** Of its request with all before it. */
  readonly hash: string;
}

const maxChats = 100;

export function createSeenTurns(): SeenTurns {
  /** The chats that were used last are the last. */
  const chats = new Map<string, readonly Seen[]>();
  const add = (chatId: string, more: readonly Seen[]): readonly Seen[] => {
    const known = chats.get(chatId) ?? [];
    const all = [...known, ...more.filter(({ runId }) => !known.some((each) => each.runId === runId))];
    chats.delete(chatId);
    chats.set(chatId, all);
    for (const oldest of [...chats.keys()].slice(0, Math.max(0, chats.size - maxChats))) chats.delete(oldest);
    return all;
  };
  return {
    look({ chatId, requests, turns }) {
      const shown = hashes(requests);
      const now = turns.flatMap((turn, index) =>
        turn === undefined ? [] : [{ ...turn, at: index + 1, hash: shown[index] ?? '' }],
      );
      const isThere = ({ at, hash, runId }: Seen): boolean => {
        const says = turns[at - 1];
        // Retry says the same words again: then the answer tells which turn it is of.
        return shown[at - 1] === hash && (says === undefined || says.runId === runId);
      };
      return add(chatId, now)
        .filter((seen) => !isThere(seen))
        .map(({ sessionId, runId }) => ({ sessionId, runId }));
    },
    ran({ chatId, requests }, turn) {
      const hash = hashes(requests).at(-1) ?? '';
      add(chatId, [{ ...turn, at: requests.length, hash }]);
    },
  };
}
