import { createTimer } from '../../base/createTimer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine, inertText, truncate } from '../../base/text.ts';
import { chatOf } from '../../agents/lineageOf.ts';
import { ownText } from '../../agent/context/ownText.ts';
import type { EventOf } from '../../contracts/agentEvent.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { Session } from '../../sessions/session.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';
import { createChatItems, type ChatItems } from './chatItems.ts';
import type { ChatFrame, ChatItem, FromChatPage, ToChatPage } from './chatViewMessages.ts';

/** How often the page is told of what a turn adds. Milliseconds. */
const tellMs = 40;

interface ChatScreenParts {
  readonly tell: (message: ToChatPage) => void;
  /** Whether a page is there, which says when it has drawn. */
  readonly isOpen: () => boolean;
  readonly frame: () => ChatFrame;
  /** What the page gets of an item; undefined where that is none of its business. */
  readonly shown: (item: ChatItem) => ChatItem | undefined;
  /** A name that no other item has. */
  readonly nextId: () => string;
}

/** The items of a conversation, and the page that is told of them. */
interface ChatScreen extends Disposable {
  readonly items: ChatItems;
  /** Tells soon what has changed, and the frame. */
  readonly change: () => void;
  /** Tells all of it: the page is new, or shows another conversation. */
  showAll(): void;
  /** The page has drawn what it was told. */
  readonly drawn: () => void;
  readonly note: (icon: string, markdown: string) => void;
}

export function createChatScreen({ tell, isOpen, frame, shown, nextId }: ChatScreenParts): ChatScreen {
  /** One change at a time: a page that draws slowly must not be buried under the next ones. */
  let isDrawing = false;
  let isDue = false;
  const timer = createTimer(tellMs, () => {
    isDue = isDrawing;
    if (isDrawing) return;
    isDrawing = isOpen();
    tell({ type: 'change', items: toShown(items.takeChanged()), frame: frame() });
  });
  const items = createChatItems(timer.start);
  const toShown = (all: readonly ChatItem[]): readonly ChatItem[] => all.flatMap((item) => shown(item) ?? []);
  return {
    items,
    change: timer.start,
    showAll() {
      timer.stop();
      isDrawing = isOpen();
      items.takeChanged();
      tell({ type: 'show', items: toShown(items.all()), frame: frame() });
    },
    drawn() {
      isDrawing = false;
      if (isDue) timer.start();
    },
    note: (icon, markdown) => items.put({ kind: 'note', id: nextId(), icon, markdown }),
    dispose: () => timer.dispose(),
  };
}

/** What a conversation does with each message of its page; without a handler it does nothing. */
export type PageHandlers = {
  readonly [Type in FromChatPage['type']]?: (message: FromChatPage & { readonly type: Type }) => unknown;
};

/** Rejects with what the handler throws. */
export async function handlePageMessage(handlers: PageHandlers, message: FromChatPage): Promise<void> {
  const handler = handlers[message.type] as ((message: FromChatPage) => unknown) | undefined;
  await handler?.(message);
}

type StepItem = Extract<ChatItem, { kind: 'step' }>;

/** The answer and the calls of a turn that runs. */
interface LiveItems {
  /** Adds to the answer. */
  say(text: string): void;
  /** What is said next is an answer of its own. */
  breakAnswer(): void;
  callStarted(event: EventOf<'tool_started'>): void;
  /** What a call says while it runs. */
  callSaid(event: EventOf<'tool_progress'>): void;
  /** A call that it was not told of is a step of its own where it has a title. */
  callEnded(
    callId: string | undefined,
    end: Omit<StepItem, 'kind' | 'id' | 'title'> & { readonly title?: string },
  ): void;
  /** Words of the user that came while the turn ran. */
  said(event: EventOf<'steered' | 'follow_up'>): void;
  /** The turn has ended, and cut off the calls that still run. */
  end(): void;
}

export function createLiveItems(items: ChatItems, nextId: () => string): LiveItems {
  /** A model may use an id again: each call has an item of its own. */
  const running = new Map<string, StepItem>();
  let answer: Extract<ChatItem, { kind: 'answer' }> | undefined;
  return {
    say(text) {
      if (answer !== undefined && isLongEnough(answer.markdown)) answer = undefined;
      answer ??= { kind: 'answer', id: nextId(), markdown: '', files: [] };
      answer = { ...answer, markdown: answer.markdown + text };
      items.put(answer);
    },
    breakAnswer() {
      answer = undefined;
    },
    callStarted({ call, label }) {
      const title = inertLine(label, 100);
      const item = { kind: 'step', id: nextId(), state: 'running', title, facts: [] } as const;
      running.set(call.id, item);
      items.put(item);
    },
    callSaid({ toolCallId, text }) {
      const item = running.get(toolCallId);
      if (item !== undefined) items.put({ ...item, output: lastLines(text) });
    },
    callEnded(callId = '', end) {
      const { id, title } = running.get(callId) ?? { id: nextId(), title: end.title };
      running.delete(callId);
      if (title !== undefined) items.put({ kind: 'step', id, ...end, title: end.title ?? title });
    },
    said: ({ message }) => items.put({ kind: 'user', id: nextId(), text: ownText(message), attached: [] }),
    end() {
      for (const item of running.values()) items.put({ ...item, state: 'stopped' });
      running.clear();
    },
  };
}

/** The newest of a call's output: it is one of a row of steps, and all of it is a click away. */
function lastLines(text: string): string {
  const lines = inertText(text.slice(-4_000)).trimEnd().split('\n');
  return lines
    .slice(-8)
    .map((line) => truncate(line, 200))
    .join('\n');
}

/** From so many characters on a new paragraph is an item of its own: an item is drawn anew with each piece of text. */
const longAnswer = 8_000;

function isLongEnough(markdown: string): boolean {
  if (markdown.length < longAnswer || !markdown.endsWith('\n\n')) return false;
  // Not in the middle of a block of code.
  return (markdown.match(/^\s*(?:```|~~~)/gmu)?.length ?? 0) % 2 === 0;
}

/** Whether a question is one of the conversation that a page shows: of its session, or of an agent that it has started. */
export function isAskedIn(
  shown: string | undefined,
  { sessionId }: Pick<ApprovalRequest, 'sessionId'>,
  agentsOf: (shown: string) => readonly { readonly sessionId: string }[],
): boolean {
  if (shown === undefined) return false;
  return sessionId === shown || agentsOf(shown).some((agent) => agent.sessionId === sessionId);
}

/** The chat of the first of these questions whose chat opens. `failed`: why one can't be read. */
export async function askingChat(
  requests: readonly ApprovalRequest[],
  sessions: Pick<SessionStore, 'open'>,
  failed: (why: unknown) => void,
): Promise<Session | undefined> {
  const headerOf = async (id: string) => (await sessions.open(id))?.header;
  for (const sessionId of new Set(requests.map((request) => request.sessionId))) {
    try {
      const chat = await sessions.open(await chatOf(sessionId, headerOf));
      if (chat !== undefined) return chat;
    } catch (error) {
      failed(error);
    }
  }
  return undefined;
}
