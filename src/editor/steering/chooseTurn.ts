import type { RunningTurn } from '../../runtime/conversations.ts';

/** What a command about a running turn is about: one turn, one of several that the user picks from, or none. */
type TurnChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly turn: RunningTurn }
  | { readonly kind: 'several'; readonly turns: readonly RunningTurn[] };

/**
 * The turn of the session that is named; else the only one of a chat, since started agents take their words from it; else all, those
 * of chats first and the newest first. Pure.
 */
export function chooseTurn(turns: readonly RunningTurn[], sessionId?: string): TurnChoice {
  if (sessionId !== undefined) {
    const turn = turns.find(({ session }) => session.id === sessionId);
    return turn === undefined ? { kind: 'none' } : { kind: 'one', turn };
  }
  const newest = turns.toSorted((a, b) => b.startedAt - a.startedAt);
  const chats = newest.filter(({ session }) => session.header.kind === 'chat');
  const [only, ...others] = chats.length > 0 ? chats : newest;
  if (only === undefined) return { kind: 'none' };
  if (others.length === 0) return { kind: 'one', turn: only };
  return { kind: 'several', turns: [...chats, ...newest.filter((turn) => !chats.includes(turn))] };
}
