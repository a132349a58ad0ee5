import { ownText } from '../../agent/context/ownText.ts';
import type { AssistantMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { callTitle } from '../../sessions/markdown/callMarkdown.ts';
import type { ChatItem } from './chatViewMessages.ts';

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

/** How much of a long conversation stands in the view; the whole of it is a document. */
export const mostStored = 400;

/**
 * What a transcript holds, for a conversation that the view goes on with; the newest `mostStored` of them. Of a call it says that it was
 * made and no more: what is stored of its end, plugins may have changed. Pure.
 */
export function itemsOfEntries(
  entries: readonly SessionEntry[],
  sessionId: string,
): { readonly items: readonly ChatItem[]; readonly leftOut: number } {
  const items: ChatItem[] = [];
  let runId = '';
  for (const entry of entries) {
    if (entry.type === 'turn') runId = entry.runId;
    if (entry.type !== 'message' || entry.message.role === 'toolResult') continue;
    const { id, message } = entry;
    if (message.role === 'assistant') items.push(...itemsOfAnswer(id, message, { sessionId, runId }));
    else {
      const said = ownText(message);
      if (said !== '') items.push({ kind: 'user', id, text: said, attached: [] });
    }
  }
  return { items: items.slice(-mostStored), leftOut: Math.max(0, items.length - mostStored) };
}

function itemsOfAnswer(
  entryId: string,
  { content }: AssistantMessage,
  place: { readonly sessionId: string; readonly runId: string },
): readonly ChatItem[] {
  return content.flatMap((part, at): readonly ChatItem[] => {
    // Ids of calls are a model's, and may come twice.
    const id = `${entryId}:${String(at)}`;
    if (part.type === 'toolCall') {
      const opens = { ...place, toolCallId: part.id };
      return [{ kind: 'step', id, state: 'kept', title: callTitle({ call: part }), facts: [], opens }];
    }
    if (part.type !== 'text' || part.text.trim() === '') return [];
    return [{ kind: 'answer', id, markdown: part.text, files: [] }];
  });
}
