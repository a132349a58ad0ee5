import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import type { Attached, ChatItem, TurnPlace } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { withoutRemoved, type RemovedTurns } from '../chat/removedTurns.ts';
import { openSession } from '../sessions/openSession.ts';

export interface TurnEditsParts {
  readonly runtime: Runtime;
  readonly removed: RemovedTurns;
  readonly items: ChatItems;
  readonly session: () => Session | undefined;
  /** The view goes on with this session, of which it shows these items already. */
  readonly goOn: (session: Session, items: readonly ChatItem[]) => void;
}

/** An earlier message that is said again or changed: the conversation goes on from before it. What was said so far stays as a session. */
export interface TurnEdits {
  /** The message of an item for the input. @throws PincerError `chat_message_gone` */
  begin(id: string): { readonly text: string; readonly attached: readonly Attached[] };
  /** The message that the turn of an answer began with. @throws PincerError `chat_message_gone` */
  messageOf(answerId: string): UserItem;
  /** Takes the turn of a message and all after it out of the conversation; gives what was attached. @throws PincerError */
  readonly goBack: (id: string) => Promise<readonly (TextPart | ImagePart)[]>;
}

type UserItem = Extract<ChatItem, { kind: 'user' }>;

/** Stands for what was attached to a message when it was said. */
export const keptUri = 'pincer-kept:attached';

export function createTurnEdits({ runtime, removed, items, session, goOn }: TurnEditsParts): TurnEdits {
  const beganBy = (id: string): UserItem & { readonly turn: TurnPlace } => {
    const item = items.get(id);
    if (item?.kind !== 'user' || item.turn === undefined) throw messageGone();
    return { ...item, turn: item.turn };
  };
  const open = async ({ sessionId }: TurnPlace): Promise<Session> => {
    const shown = session();
    return shown?.id === sessionId ? shown : await openSession(runtime, sessionId);
  };
  return {
    begin(id) {
      const { text, attached, turn } = beganBy(id);
      const shown = session();
      const hasKept =
        attached.length > 0 || (shown !== undefined && attachedIn(shown.entries(), turn.runId).length > 0);
      const label = attached.length > 0 ? attached.join(' · ') : vscode.l10n.t('Attached before');
      return { text, attached: hasKept ? [{ uri: keptUri, label }] : [] };
    },
    messageOf(answerId) {
      const all = items.all();
      const end = all.findIndex(({ id }) => id === answerId);
      const asked = all
        .slice(0, Math.max(0, end))
        .findLast((item): item is UserItem => item.kind === 'user' && item.turn !== undefined);
      if (asked === undefined) throw messageGone();
      return asked;
    },
    async goBack(id) {
      const { turn } = beganBy(id);
      const from = await open(turn);
      const attached = attachedIn(from.entries(), turn.runId);
      const all = items.all();
      const at = all.findIndex((item) => item.id === id);
      const gone = all
        .slice(at)
        .flatMap((item) => (item.kind === 'user' && item.turn !== undefined ? [item.turn] : []));
      const next = await withoutRemoved(runtime, { gone, removed }, from, from);
      // What was chosen since then is no part of what was said.
      if (next !== from) await runtime.conversations.setSettings(next, from.settings());
      goOn(
        next,
        all.slice(0, at).map((item) => inSession(item, from.id, next.id)),
      );
      return attached;
    },
  };
}

/** The turns that both sessions have are the next one's from now on. */
function inSession(item: ChatItem, from: string, next: string): ChatItem {
  if (item.kind !== 'user' || item.turn?.sessionId !== from) return item;
  return { ...item, turn: { ...item.turn, sessionId: next } };
}

/** What was attached to the message that began a turn, as the transcript has it. */
function attachedIn(entries: readonly SessionEntry[], runId: string): readonly (TextPart | ImagePart)[] {
  const start = entries.findIndex((entry) => entry.type === 'turn' && entry.runId === runId);
  const said = entries
    .slice(start + 1)
    .find((entry) => entry.type === 'turn' || (entry.type === 'message' && entry.message.role === 'user'));
  if (start === -1 || said?.type !== 'message' || said.message.role !== 'user') return [];
  return said.message.content.filter((part) => part.type !== 'text' || part.isContext === true);
}

function messageGone(): PincerError {
  return new PincerError(
    'chat_message_gone',
    vscode.l10n.t('That message can no longer be said again: it stands in another conversation.'),
    { hint: vscode.l10n.t('Say it as a new one.') },
  );
}
