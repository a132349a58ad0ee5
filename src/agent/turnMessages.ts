import type { AgentMessage } from '../contracts/message.ts';
import { closeOpenCalls } from '../sessions/closeOpenCalls.ts';
import type { Session } from '../sessions/session.ts';
import { joinRepeated } from './joinRepeated.ts';

/** A message of this turn, as the model reads it. */
export interface TurnMessage {
  readonly message: AgentMessage;
  /** Its entry in the transcript; undefined where it is not stored: a draft, a plugin's wish, what a plugin kept out. */
  readonly entryId?: string | undefined;
}

/**
 * The conversation as the model of a turn reads it: what the session holds, and in place of what the turn has stored its own
 * versions, such as the user's words with what plugins added to them.
 */
export interface TurnMessages {
  /** Every call has its result, every result its call; words that were said again after a failure stand there once. */
  all(): readonly AgentMessage[];
  add(message: TurnMessage): void;
  /** The session was compacted: reads it again. */
  reread(): void;
}

export function createTurnMessages(session: Pick<Session, 'messages' | 'entries'>): TurnMessages {
  let before = session.messages();
  let own: readonly TurnMessage[] = [];
  return {
    all: () => closeOpenCalls(joinRepeated([...before, ...own.map((each) => each.message)])),
    add: (message) => {
      own = [...own, message];
    },
    reread() {
      const ids = new Map(
        session.entries().flatMap((entry) => (entry.type === 'message' ? [[entry.message, entry.id]] : [])),
      );
      const kept = session.messages().map((message) => ({ message, entryId: ids.get(message) }));
      const joined = rejoinTurn(kept, own);
      before = joined.before;
      own = joined.own;
    },
  };
}

/**
 * Puts a turn's own messages back behind what a compaction left of the session. What was compacted stays away, and with it
 * what was not stored and stood before what is left of the turn. Pure.
 */
export function rejoinTurn(
  session: readonly TurnMessage[],
  own: readonly TurnMessage[],
): { readonly before: readonly AgentMessage[]; readonly own: readonly TurnMessage[] } {
  const kept = new Map(
    session.flatMap(({ entryId }, index) => (entryId === undefined ? [] : [[entryId, index] as const])),
  );
  const isKept = ({ entryId }: TurnMessage): boolean => entryId !== undefined && kept.has(entryId);
  const first = own.findIndex(isKept);
  const entryId = own[first]?.entryId;
  if (entryId === undefined) {
    // Nothing that the turn stored is left: what came after it still counts.
    const last = own.findLastIndex((each) => each.entryId !== undefined);
    return { before: session.map((each) => each.message), own: own.slice(last + 1) };
  }
  return {
    before: session.slice(0, kept.get(entryId)).map((each) => each.message),
    own: own.slice(first),
  };
}
