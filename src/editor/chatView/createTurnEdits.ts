import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import {
  askedFor,
  attachedIn,
  turnsOf,
  type AskingItem,
  type ChatItems,
} from '../../gateway/chatPage/chatItems.ts';
import {
  keptUri,
  type Attached,
  type ChatItem,
  type TurnPlace,
} from '../../gateway/chatPage/chatViewMessages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { withoutRemoved, type RemovedTurns } from '../chat/removedTurns.ts';
import { openSession } from '../sessions/openSession.ts';

interface TurnEditsParts {
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
  begin(id: string): Promise<{ readonly text: string; readonly attached: readonly Attached[] }>;
  /** The message that the turn of an answer began with. @throws PincerError `chat_message_gone` */
  messageOf(answerId: string): AskingItem;
  /** Takes the turn of a message and all after it out of the conversation; gives what was attached. @throws PincerError */
  readonly goBack: (id: string) => Promise<AttachmentParts>;
}

type AttachmentParts = readonly (TextPart | ImagePart)[];

export function createTurnEdits({ runtime, removed, items, session, goOn }: TurnEditsParts): TurnEdits {
  const beganBy = (id: string): AskingItem => {
    const item = items.get(id);
    if (item?.kind !== 'user' || item.turn === undefined) throw messageGone();
    return { ...item, turn: item.turn };
  };
  const open = async ({ sessionId }: TurnPlace): Promise<Session> => {
    const shown = session();
    return shown?.id === sessionId ? shown : await openSession(runtime, sessionId);
  };
  /** A compaction takes what was attached out of the session, not out of the file. */
  const attachedTo = async (from: Session, { runId }: TurnPlace): Promise<AttachmentParts> =>
    attachedIn(from.isNew ? [] : await runtime.conversations.readWhole(from.id), runId);
  return {
    async begin(id) {
      const { text, attached, turn } = beganBy(id);
      const hasKept = attached.length > 0 || (await attachedTo(await open(turn), turn)).length > 0;
      const label = attached.length > 0 ? attached.join(' · ') : vscode.l10n.t('Attached before');
      return { text, attached: hasKept ? [{ uri: keptUri, label }] : [] };
    },
    messageOf(answerId) {
      const asked = askedFor(items.all(), answerId);
      if (asked === undefined) throw messageGone();
      return asked;
    },
    async goBack(id) {
      const { turn } = beganBy(id);
      const from = await open(turn);
      const attached = await attachedTo(from, turn);
      const all = items.all();
      const at = all.findIndex((item) => item.id === id);
      const gone = turnsOf(all.slice(at));
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
  if (item.kind !== 'user') return item;
  const moved = (turn: TurnPlace): TurnPlace =>
    turn.sessionId === from ? { ...turn, sessionId: next } : turn;
  const { turn, resumed } = item;
  return {
    ...item,
    ...(turn === undefined ? {} : { turn: moved(turn) }),
    ...(resumed === undefined ? {} : { resumed: moved(resumed) }),
  };
}

function messageGone(): PincerError {
  return new PincerError(
    'chat_message_gone',
    vscode.l10n.t("That message can't be sent again: it belongs to another conversation."),
    { hint: vscode.l10n.t('Send it as a new message.') },
  );
}
