import type { AgentMessage, ToolResultMessage, UserMessage } from '../../contracts/message.ts';
import type { CompactionEntry, SessionEntry } from '../../contracts/sessionEntry.ts';
import { ownText } from './ownText.ts';
import type { ContextBudget } from './planBudget.ts';

interface CompactionInput {
  /** The whole transcript, what was compacted before included. */
  readonly entries: readonly SessionEntry[];
  readonly budget: Pick<ContextBudget, 'keepTokens' | 'maxKeepTokens'>;
  readonly sizeOf: (message: AgentMessage) => number;
}

/** Where a conversation is cut: what a summary stands for, and what stays. */
export interface CompactionCut {
  readonly status: 'cut';
  /** The last compaction; its summary is carried into the new one. */
  readonly previous: CompactionEntry | undefined;
  /** Messages that nobody has summarised yet, in order; never empty. */
  readonly compacted: readonly AgentMessage[];
  /** Entry of the first message that stays; null where none does. */
  readonly firstKeptId: string | null;
  readonly keptTokens: number;
  /**
   * What the user wants done and what they said to it since, where these messages are among those that go: the texts stay word
   * for word in the summary.
   */
  readonly request: readonly UserMessage[];
  /** Results that the model has not worked with yet and that are too long to stay; the summary quotes them shortened. */
  readonly openResults: readonly ToolResultMessage[];
}

type CompactionPlan = CompactionCut | { readonly status: 'nothing'; readonly reason: string };

/**
 * Decides where to cut. The newest `keepTokens` stay, at least the user's last message and what followed. Only where that is
 * more than `maxKeepTokens`, the cut goes behind that message, between two answers, or in the end behind everything; its
 * words stay in the summary. A cut is never between a call and its result, nor inside an answer with several calls. Reads from
 * the end, so a long history costs nothing. Pure.
 */
export function planCompaction({ entries, budget, sizeOf }: CompactionInput): CompactionPlan {
  const { live, previous } = readLive(entries);
  if (live.length === 0) return { status: 'nothing', reason: 'The conversation is empty.' };
  const cut = decideCut(live, budget, sizeOf);
  if (cut === undefined)
    return { status: 'nothing', reason: 'A tool call is running; its result must not be parted from it.' };
  const compacted = live.slice(0, cut).map((each) => each.message);
  if (compacted.length === 0) {
    return { status: 'nothing', reason: 'All of the conversation is recent enough to stay word for word.' };
  }
  const kept = live.slice(cut);
  return {
    status: 'cut',
    previous,
    compacted,
    firstKeptId: kept[0]?.id ?? null,
    keptTokens: kept.reduce((sum, each) => sum + sizeOf(each.message), 0),
    request: findRequest(entries, kept[0]?.id),
    openResults: kept.length === 0 ? trailingResults(compacted) : [],
  };
}

interface LiveMessage {
  /** Of its entry. */
  readonly id: string;
  readonly message: AgentMessage;
}

/** Messages that a model still reads as they are. */
function readLive(entries: readonly SessionEntry[]): {
  readonly live: readonly LiveMessage[];
  readonly previous: CompactionEntry | undefined;
} {
  const last = entries.findLastIndex((entry) => entry.type === 'compaction');
  const previous = entries[last];
  if (previous?.type !== 'compaction') return { live: messagesOf(entries), previous: undefined };
  const kept = entries.findIndex((entry) => entry.id === previous.firstKeptId);
  return { live: messagesOf(entries.slice(kept === -1 ? last + 1 : kept)), previous };
}

function messagesOf(entries: readonly SessionEntry[]): readonly LiveMessage[] {
  const live: LiveMessage[] = [];
  for (const entry of entries) {
    if (entry.type === 'message') live.push(entry);
  }
  return live;
}

/** Index of the first message that stays; `live.length` where none does; undefined where a running call forbids it. */
function decideCut(
  live: readonly LiveMessage[],
  { keepTokens, maxKeepTokens }: CompactionInput['budget'],
  sizeOf: CompactionInput['sizeOf'],
): number | undefined {
  const own = live.findLastIndex(({ message }) => isRequest(message));
  const recent = earliestWithin(live, keepTokens, sizeOf);
  if (own !== -1) {
    if (recent <= own) return recent;
    if (earliestWithin(live, maxKeepTokens, sizeOf) <= own) return own;
  }
  if (recent < live.length) return recent;
  const fitting = earliestWithin(live, maxKeepTokens, sizeOf);
  return fitting === live.length && hasOpenCall(live) ? undefined : fitting;
}

/** The earliest place to cut from which on the messages have at most `tokens`. */
function earliestWithin(
  live: readonly LiveMessage[],
  tokens: number,
  sizeOf: CompactionInput['sizeOf'],
): number {
  let sum = 0;
  let cut = live.length;
  for (let index = live.length - 1; index >= 0; index -= 1) {
    const message = live[index]?.message;
    if (message === undefined) break;
    sum += sizeOf(message);
    if (sum > tokens) break;
    // A result stays with the answer that asked for it, which comes before it.
    if (message.role !== 'toolResult') cut = index;
  }
  return cut;
}

function trailingResults(messages: readonly AgentMessage[]): readonly ToolResultMessage[] {
  const start = messages.findLastIndex((message) => message.role !== 'toolResult');
  return messages.slice(start + 1).filter((message) => message.role === 'toolResult');
}

/** True where the last answer waits for a result. */
function hasOpenCall(live: readonly LiveMessage[]): boolean {
  const messages = live.map((each) => each.message);
  const answer = messages.findLastIndex((message) => message.role !== 'toolResult');
  const asked = messages[answer];
  if (asked?.role !== 'assistant') return false;
  const calls = asked.content.filter((part) => part.type === 'toolCall').length;
  return calls > messages.length - 1 - answer;
}

/** True for a message that begins a turn or a queued one: the user's own words, said at no steering point. */
export function isRequest(message: AgentMessage): message is UserMessage {
  return message.role === 'user' && message.via !== 'steer' && ownText(message) !== '';
}

/**
 * What the user wants done now, and what they said to it while it ran: those of these messages that come before the entry
 * `keptId` (before the end where it is missing). Empty where the request itself stays. Pure.
 */
function findRequest(entries: readonly SessionEntry[], keptId: string | undefined): readonly UserMessage[] {
  const kept = keptId === undefined ? -1 : entries.findLastIndex((entry) => entry.id === keptId);
  const end = kept === -1 ? entries.length : kept;
  const start = entries.findLastIndex((entry) => entry.type === 'message' && isRequest(entry.message));
  if (start === -1 || start >= end) return [];
  return entries
    .slice(start, end)
    .flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'user' && ownText(entry.message) !== ''
        ? [entry.message]
        : [],
    );
}
