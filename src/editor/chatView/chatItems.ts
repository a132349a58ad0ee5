import type { AssistantMessage, UserMessage } from '../../contracts/message.ts';
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
 * What a transcript holds, for a conversation that the view goes on with; the newest `mostStored` of them. Of a call it says how it
 * ended and no more: what is stored of it, plugins may have changed. Pure.
 */
export function itemsOfEntries(
  entries: readonly SessionEntry[],
  sessionId: string,
): { readonly items: readonly ChatItem[]; readonly leftOut: number } {
  const items = new Map<string, ChatItem>();
  let runId = '';
  for (const entry of entries) {
    if (entry.type === 'turn') runId = entry.runId;
    if (entry.type !== 'message') continue;
    const { id, message } = entry;
    if (message.role === 'toolResult') {
      const step = items.get(message.toolCallId);
      if (step?.kind === 'step') items.set(step.id, { ...step, state: message.isError ? 'failed' : 'done' });
    } else if (message.role === 'user') {
      const said = wordsOf(message);
      if (said !== '') items.set(id, { kind: 'user', id, text: said, attached: [] });
    } else {
      for (const item of itemsOfAnswer(id, message, { sessionId, runId })) items.set(item.id, item);
    }
  }
  const all = [...items.values()];
  return { items: all.slice(-mostStored), leftOut: Math.max(0, all.length - mostStored) };
}

function itemsOfAnswer(
  id: string,
  { content }: AssistantMessage,
  place: { readonly sessionId: string; readonly runId: string },
): readonly ChatItem[] {
  return content.flatMap((part, at): readonly ChatItem[] => {
    if (part.type === 'toolCall')
      return [
        {
          kind: 'step',
          id: part.id,
          // One without a result was cut off.
          state: 'stopped',
          title: callTitle({ call: part }),
          facts: [],
          opens: { ...place, toolCallId: part.id },
        },
      ];
    if (part.type !== 'text' || part.text.trim() === '') return [];
    return [{ kind: 'answer', id: `${id}:${String(at)}`, markdown: part.text, files: [] }];
  });
}

/** Without what was attached. */
export function wordsOf({ content }: UserMessage): string {
  return content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .trim();
}
