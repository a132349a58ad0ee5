import { randomUUID } from 'node:crypto';
import { isRecord } from '../../base/json.ts';
import { hashes } from './chatMemory.ts';

/** A turn of the agent as a request showed it. */
export interface ShownTurn {
  readonly sessionId: string;
  readonly runId: string;
}

/** What the panel shows of a chat, oldest first. */
export interface ShownTurns {
  /** The chat, by what its answers say of themselves; undefined where none is shown. */
  readonly chatId: string | undefined;
  /** The chat, by the panel's own id; undefined where it tells none. */
  readonly panelId: string | undefined;
  /** Every request, as in `ShownChat`. */
  readonly requests: readonly string[];
  /** What the answer to each of them says; undefined where it says nothing. */
  readonly turns: readonly (ShownTurn | undefined)[];
}

/** Every request of a chat, the one that is answered now the last. */
interface ChatRequests {
  readonly chatId: string;
  readonly requests: readonly string[];
}

/**
 * The turns that this window has seen in its chats. VS Code tells of no Restore Checkpoint, Retry or edited message: the next request just
 * shows less. What a reload lost was never seen by the host that runs now, so it is not taken for removed.
 */
export interface SeenTurns {
  /**
   * Notes what a request shows. Gives its chat, a new one where neither its answers nor the panel tell which it is, and the turns of it
   * that were seen before and are gone, oldest first: since the newest request there that named a session, which brought along what it has.
   */
  look(shown: ShownTurns): { readonly chatId: string; readonly gone: readonly ShownTurn[] };
  /** The request after these began a turn. */
  ran(shown: ChatRequests, turn: ShownTurn): void;
  /** The request after these named the session that the chat goes on with. */
  named(shown: ChatRequests): void;
}

/**
 * The panel's own id of a chat, read from the token of a request. The token is opaque by contract: where nothing can be read, a first
 * message that is said again begins a new chat. Pure.
 */
export function panelIdOf(token: unknown): string | undefined {
  if (!isRecord(token)) return undefined;
  const { sessionResource: place, sessionId } = token;
  if (isRecord(place) && typeof place['scheme'] === 'string' && typeof place['path'] === 'string')
    return `${place['scheme']}:${place['path']}`;
  return typeof sessionId === 'string' ? sessionId : undefined;
}

interface ShownRequest {
  /** Undefined of a request that named a session. */
  readonly turn: ShownTurn | undefined;
  /** Where its request stood, from 1. */
  readonly at: number;
  /** Of its request with all before it. */
  readonly hash: string;
}

const maxChats = 100;

export function createSeenTurns(): SeenTurns {
  /** The chats that were used last are the last. */
  const chats = new Map<string, readonly ShownRequest[]>();
  /** Chats by the panel's own ids. */
  const inPanel = new Map<string, string>();
  const add = (chatId: string, more: readonly ShownRequest[]): readonly ShownRequest[] => {
    const known = chats.get(chatId) ?? [];
    const isKnown = ({ turn }: ShownRequest): boolean =>
      turn !== undefined && known.some((each) => each.turn?.runId === turn.runId);
    const all = [...known, ...more.filter((each) => !isKnown(each))];
    chats.delete(chatId);
    chats.set(chatId, all);
    for (const oldest of [...chats.keys()].slice(0, Math.max(0, chats.size - maxChats))) chats.delete(oldest);
    for (const [panelId, named] of inPanel) if (!chats.has(named)) inPanel.delete(panelId);
    return all;
  };
  const note = (chatId: string, requests: readonly string[], turn: ShownTurn | undefined): void =>
    void add(chatId, [{ turn, at: requests.length, hash: hashes(requests).at(-1) ?? '' }]);
  return {
    look({ chatId: told, panelId, requests, turns }) {
      const known = panelId === undefined ? undefined : inPanel.get(panelId);
      const chatId = told ?? known ?? randomUUID();
      const shown = hashes(requests);
      const now = turns.flatMap((turn, index) =>
        turn === undefined ? [] : [{ turn, at: index + 1, hash: shown[index] ?? '' }],
      );
      const isThere = ({ at, hash, turn }: ShownRequest): boolean => {
        const says = turns[at - 1];
        // Retry says the same words again: then the answer tells which turn it is of.
        return shown[at - 1] === hash && (says === undefined || says.runId === turn?.runId);
      };
      const seen = add(chatId, now);
      const named = seen.findLastIndex((each) => each.turn === undefined && isThere(each));
      const gone = seen
        .slice(named + 1)
        .flatMap((each) => (each.turn === undefined || isThere(each) ? [] : [each.turn]));
      if (panelId !== undefined) inPanel.set(panelId, chatId);
      return { chatId, gone };
    },
    ran: ({ chatId, requests }, turn) => note(chatId, requests, turn),
    named: ({ chatId, requests }) => note(chatId, requests, undefined),
  };
}
