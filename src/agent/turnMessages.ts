import { isRecord } from '../base/json.ts';
import type { AgentMessage, UserMessage } from '../contracts/message.ts';
import { closeOpenCalls } from '../sessions/closeOpenCalls.ts';
import type { Session } from '../sessions/session.ts';

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
  /**
   * Every call has its result, every result its call; words that were said again after a failure stand there once. `history` takes the
   * place of what the turn found in the session.
   */
  all(history?: readonly AgentMessage[]): readonly AgentMessage[];
  /** What the turn found in the session, or what a compaction left of it. */
  history(): readonly AgentMessage[];
  /** What the turn has added. */
  own(): readonly TurnMessage[];
  add(message: TurnMessage): void;
  /** The session was compacted: reads it again. */
  reread(): void;
}

export function createTurnMessages(session: Pick<Session, 'messages' | 'entries'>): TurnMessages {
  let before = session.messages();
  let own: readonly TurnMessage[] = [];
  return {
    all: (history = before) => closeOpenCalls(joinRepeated([...history, ...own.map((each) => each.message)])),
    history: () => before,
    own: () => own,
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
function rejoinTurn(
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

/**
 * The user's words are read once where they were said again after a turn that came to no end, such as one whose server was away. The
 * later message takes the place of the first one: what the turn had done until then stays behind it, an answer that broke off goes.
 * Nothing is lost by it: a message that has something else attached stays where it is, and so does one behind a call that was denied:
 * whoever wishes it again has to be read after the no. Pure.
 */
export function joinRepeated(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const joined: AgentMessage[] = [];
  /** Where the words of a turn stand that has no end so far. */
  let begun: number | undefined;
  for (const message of messages) {
    if (message.role === 'user' && wordsOf(message) !== '') {
      const first = begun === undefined ? undefined : joined[begun];
      if (begun !== undefined && first?.role === 'user' && isRepeated(first, message)) {
        joined[begun] = message;
        if (isBrokenOff(joined.at(-1))) joined.pop();
        continue;
      }
      // What was said while a turn ran changes what the first words mean.
      begun = message.via === undefined ? joined.length : undefined;
    }
    joined.push(message);
    const isAnswer = message.role === 'assistant' && !asks(message) && !isBrokenOff(message);
    if (isAnswer || isDenied(message)) begun = undefined;
  }
  return joined;
}

function isRepeated(first: UserMessage, again: UserMessage): boolean {
  const isIn = (part: UserMessage['content'][number]): boolean =>
    again.content.some((other) =>
      part.type === 'text'
        ? other.type === 'text' && other.text === part.text
        : other.type === 'image' && other.data === part.data,
    );
  return again.via === undefined && wordsOf(first) === wordsOf(again) && first.content.every(isIn);
}

function isDenied(message: AgentMessage): boolean {
  if (message.role !== 'toolResult') return false;
  return isRecord(message.details) && message.details['status'] === 'denied';
}

function asks(message: AgentMessage): boolean {
  return message.role === 'assistant' && message.content.some((part) => part.type === 'toolCall');
}

function isBrokenOff(message: AgentMessage | undefined): boolean {
  if (message?.role !== 'assistant' || asks(message)) return false;
  return message.stopReason === 'aborted' || message.stopReason === 'error';
}

/** Without what was attached or added. */
function wordsOf({ content }: UserMessage): string {
  return content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .trim();
}
