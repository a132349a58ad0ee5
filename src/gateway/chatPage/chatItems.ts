import { ownText } from '../../agent/context/ownText.ts';
import type {
  AssistantMessage,
  ImagePart,
  TextPart,
  ToolCallPart,
  ToolResultMessage,
} from '../../contracts/message.ts';
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { callTitle, type StoredCall } from '../../sessions/markdown/callMarkdown.ts';
import { readChannelMessage } from '../../sessions/markdown/readChannelMessage.ts';
import type { ChatItem, QuestionTime, TurnPlace } from './chatViewMessages.ts';

/** The items of one conversation, and which of them the page does not have yet. */
export interface ChatItems {
  /** In the order in which they were first put. */
  all(): readonly ChatItem[];
  get(id: string): ChatItem | undefined;
  /** Replaces the item of this id, or stands at the end. */
  put(item: ChatItem): void;
  /** What was put since it was last asked. */
  takeChanged(): readonly ChatItem[];
  /** Another conversation stands there. */
  replace(items: readonly ChatItem[]): void;
}

/** `onChange` is called after each change. */
export function createChatItems(onChange: () => void): ChatItems {
  const items = new Map<string, ChatItem>();
  const changed = new Set<string>();
  return {
    all: () => [...items.values()],
    get: (id) => items.get(id),
    put(item) {
      items.set(item.id, item);
      changed.add(item.id);
      onChange();
    },
    takeChanged() {
      const taken = [...changed].flatMap((id) => items.get(id) ?? []);
      changed.clear();
      return taken;
    },
    replace(next) {
      items.clear();
      changed.clear();
      for (const item of next) items.set(item.id, item);
      onChange();
    },
  };
}

/** What is left of the time of those questions that wait and stand among the items. */
export function timesOf(
  items: Pick<ChatItems, 'get'>,
  approvals: Pick<ApprovalBroker, 'pending' | 'timeLeft'>,
): readonly QuestionTime[] {
  return approvals.pending().flatMap(({ id }) => {
    const left = items.get(id) === undefined ? undefined : approvals.timeLeft(id);
    return left === undefined ? [] : [{ id, ...left }];
  });
}

/** The message that an answer belongs to, where that can be said again: of words that came in between, nobody can tell. Pure. */
export function askedFor(items: readonly ChatItem[], answerId: string): AskingItem | undefined {
  const end = items.findIndex(({ id }) => id === answerId);
  const asked = items.slice(0, Math.max(0, end)).findLast((item) => item.kind === 'user');
  return asked?.turn === undefined ? undefined : { ...asked, turn: asked.turn };
}

/** A message of the user that began a turn. */
export type AskingItem = Extract<ChatItem, { kind: 'user' }> & { readonly turn: TurnPlace };

/** The turns of these items, oldest first, those that went on with another one included. Pure. */
export function turnsOf(items: readonly ChatItem[]): readonly TurnPlace[] {
  return items.flatMap((item) => (item.kind === 'user' ? (item.turn ?? item.resumed ?? []) : []));
}

/** What was attached to the message that began a turn, as the transcript has it. Pure. */
export function attachedIn(
  entries: readonly SessionEntry[],
  runId: string,
): readonly (TextPart | ImagePart)[] {
  const start = entries.findIndex((entry) => entry.type === 'turn' && entry.runId === runId);
  const said = entries
    .slice(start + 1)
    .find((entry) => entry.type === 'turn' || (entry.type === 'message' && entry.message.role === 'user'));
  if (start === -1 || said?.type !== 'message' || said.message.role !== 'user') return [];
  return said.message.content.filter((part) => part.type !== 'text' || part.isContext === true);
}

/** How much of a long conversation stands in the view; the whole of it is a document. */
export const maxStored = 400;

/** What is known of a stored conversation beside its transcript. */
export interface StoredFacts {
  /** How a call is named and how it went. */
  readonly ofCall: (kept: StoredCall, runId: string) => Pick<StepItem, 'state' | 'title' | 'facts' | 'job'>;
  /** What stands under a turn. */
  readonly underTurn: (runId: string) => readonly ChatItem[];
}

type StepItem = Extract<ChatItem, { kind: 'step' }>;

/** Of a call that it was made and no more: what is stored of its end, plugins may have changed. */
const nothingKnown: StoredFacts = {
  ofCall: (kept) => ({ state: 'kept', title: callTitle(kept), facts: [] }),
  underTurn: () => [],
};

/** What a transcript holds, for a conversation that the view goes on with; the newest `maxStored` of them. Pure. */
export function itemsOfEntries(
  entries: readonly SessionEntry[],
  sessionId: string,
  facts = nothingKnown,
): { readonly items: readonly ChatItem[]; readonly leftOut: number } {
  const items: ChatItem[] = [];
  const results = resultsOf(entries);
  let runId = '';
  /** The first message of a turn began it; later ones were said while it ran. */
  let begins = false;
  const nextTurn = (next: string): void => {
    if (runId !== '' && runId !== next) items.push(...facts.underTurn(runId));
    runId = next;
  };
  for (const entry of entries) {
    if (entry.type === 'turn') {
      nextTurn(entry.runId);
      begins = entry.state === 'started';
    }
    if (entry.type !== 'message' || entry.message.role === 'toolResult') continue;
    const { id, message } = entry;
    if (message.role === 'assistant')
      items.push(
        ...itemsOfAnswer(id, message, { sessionId, runId }, (call) =>
          facts.ofCall(withResult(call, results), runId),
        ),
      );
    else {
      const said = ownText(message);
      const sent = readChannelMessage(said);
      const text = sent === undefined ? said : `${sent.from} (${sent.channel}, ${sent.id}):\n${sent.text}`;
      const turn = begins && sent === undefined ? { turn: { sessionId, runId } } : {};
      begins = false;
      if (said !== '') items.push({ kind: 'user', id, text, attached: [], ...turn });
    }
  }
  nextTurn('');
  return { items: items.slice(-maxStored), leftOut: Math.max(0, items.length - maxStored) };
}

/** Ids of calls are a model's, and may come twice: a call's result is the next one of its id. */
function resultsOf(entries: readonly SessionEntry[]): ReadonlyMap<ToolCallPart, ToolResultMessage> {
  const results = new Map<ToolCallPart, ToolResultMessage>();
  const next = new Map<string, ToolResultMessage>();
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'toolResult') next.set(message.toolCallId, message);
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      const result = part.type === 'toolCall' ? next.get(part.id) : undefined;
      if (part.type !== 'toolCall' || result === undefined) continue;
      results.set(part, result);
      next.delete(part.id);
    }
  }
  return results;
}

function withResult(call: ToolCallPart, results: ReadonlyMap<ToolCallPart, ToolResultMessage>): StoredCall {
  const result = results.get(call);
  return result === undefined ? { call } : { call, result };
}

function itemsOfAnswer(
  entryId: string,
  { content }: AssistantMessage,
  place: { readonly sessionId: string; readonly runId: string },
  told: (call: ToolCallPart) => Pick<StepItem, 'state' | 'title' | 'facts' | 'job'>,
): readonly ChatItem[] {
  return content.flatMap((part, at): readonly ChatItem[] => {
    // Ids of calls are a model's, and may come twice.
    const id = `${entryId}:${String(at)}`;
    if (part.type === 'toolCall') {
      const opens = { ...place, toolCallId: part.id };
      return [{ kind: 'step', id, ...told(part), opens }];
    }
    if (part.type !== 'text' || part.text.trim() === '') return [];
    return [{ kind: 'answer', id, markdown: part.text, files: [] }];
  });
}
