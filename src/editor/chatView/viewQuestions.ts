import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { PincerError } from '../../base/errors.ts';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { QuestionVisibility } from '../approvals/createQuestionVisibility.ts';
import { answeredBeforeText, denyInWords, openToRead, tellAnswered } from '../approvals/resolveApproval.ts';
import { openChat } from '../openChat.ts';
import { answerWithTicks, type UserAnswer } from '../review/answerWithTicks.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import { isAskedIn } from '../../gateway/chatPage/chatScreen.ts';
import type { PageQuestions } from '../../gateway/chatPage/createShownConversation.ts';
import type { QuestionAnswer, FromChatPage, QuestionItem } from '../../gateway/chatPage/chatViewMessages.ts';
import { answeredItem, questionItem } from './questionItem.ts';

interface ViewQuestionsParts {
  readonly runtime: Runtime;
  readonly reviewOf: ReviewOf;
  readonly items: ChatItems;
  /** A page outside of VS Code: it may allow one call, once, that it has shown whole itself. */
  readonly isRemote: boolean;
  readonly visibility: QuestionVisibility | undefined;
  /** The session that the view shows. */
  readonly sessionId: () => string | undefined;
  /** Says something where the person is. */
  readonly say: (text: string) => void;
}

type Message<Type extends FromChatPage['type']> = Extract<FromChatPage, { type: Type }>;

/** The questions of the conversation that the view shows, and of the agents that it has started, as items. */
interface ViewQuestions extends PageQuestions {
  acceptHunk(message: Message<'acceptHunk'>): void;
  /** Opens the diff or the whole call. */
  review(id: string): Promise<void>;
}

const decisions: Readonly<Record<QuestionAnswer, Omit<UserAnswer, 'by'>>> = {
  once: { decision: 'allow-once' },
  turn: { decision: 'allow-once', wider: 'turn' },
  session: { decision: 'allow-once', wider: 'session' },
  always: { decision: 'allow-always' },
  deny: { decision: 'deny' },
};

export function createViewQuestions({
  runtime,
  reviewOf,
  items,
  isRemote,
  visibility,
  sessionId,
  say,
}: ViewQuestionsParts): ViewQuestions {
  const { approvals, conversations } = runtime;
  /** Those that wait and stand in the view. */
  const open = new Map<string, { readonly request: ApprovalRequest; readonly listening: Disposable }>();

  /** Why the last yes to each did not count: not all of it had been in sight, or it had only just appeared. */
  const notTaken = new Map<string, 'unread' | 'early'>();
  /** What this page has shown whole. */
  const shownHere = new Set<string>();
  const isOurs = (request: ApprovalRequest): boolean =>
    isAskedIn(sessionId(), request, (shown) => conversations.subagents(shown));
  /** Whoever reads a question must not have it redrawn under the mouse for nothing. */
  const show = (item: QuestionItem): void => {
    if (JSON.stringify(items.get(item.id)) !== JSON.stringify(item)) items.put(item);
  };
  /** On the page's own terms: a short question, too, must have stood there for its key. */
  const isSeen = (id: string): boolean =>
    isRemote ? shownHere.has(id) : approvals.isShownWhole(id, 'chat view key');
  const put = (request: ApprovalRequest): void => {
    const { id } = request;
    if (isSeen(id) && notTaken.get(id) === 'unread') notTaken.delete(id);
    if (isRemote) {
      show(withLook(remoteItem(questionItem(reviewOf(request), false))));
      return;
    }
    const wasRead =
      approvals.wasShown(id, 'call') || (diffShowsAll(request) && approvals.wasShown(id, 'diff'));
    show(withLook(questionItem(reviewOf(request), wasRead)));
  };
  /** Below its buttons a question says why a click on one of them did not count. */
  const withLook = (item: QuestionItem): QuestionItem => {
    const why = notTaken.get(item.id);
    if (why === undefined) return item;
    const notice =
      why === 'unread'
        ? vscode.l10n.t('Not allowed yet: you have not seen all of it. Look through it, then allow it.')
        : vscode.l10n.t('Not allowed yet: the question had only just appeared. Click again.');
    return { ...item, notice };
  };
  const noteNotTaken = (id: string, why: 'unread' | 'early'): void => {
    const request = open.get(id)?.request;
    if (request === undefined) return;
    notTaken.set(id, why);
    put(request);
  };
  const tellBefore = (id: string): void => {
    if (isRemote) say(answeredBeforeText(runtime, id));
    else tellAnswered(runtime, id);
  };
  /** Says in the question, or where the person is, why an answer was not taken; what was not shown whole is shown in VS Code. */
  const tellNotTaken = async (id: string, error: PincerError): Promise<void> => {
    const request = open.get(id)?.request;
    switch (error.code) {
      case 'approval_too_soon':
        noteNotTaken(id, 'early');
        break;
      case 'approval_not_shown':
        noteNotTaken(id, 'unread');
        if (!isRemote && request !== undefined) await openToRead(reviewOf, request);
        break;
      case 'approval_already_resolved':
        tellBefore(id);
        break;
      default:
        throw error;
    }
  };
  const close = ({
    request,
    listening,
  }: {
    readonly request: ApprovalRequest;
    readonly listening: Disposable;
  }): void => {
    const item = items.get(request.id);
    const record = approvals.history().find((each) => each.request.id === request.id);
    const isKept = record !== undefined || conversations.running(request.sessionId) === undefined;
    if (item?.kind === 'question') show(answeredItem(item, record, reviewOf(request)));
    // An "always" is written down before it is told: the next change tells.
    if (!isKept) return;
    visibility?.note(request.id, true);
    notTaken.delete(request.id);
    listening.dispose();
    open.delete(request.id);
  };
  const refresh = (): void => {
    const waiting = approvals.pending().filter(isOurs);
    for (const each of open.values()) if (!waiting.includes(each.request)) close(each);
    for (const request of waiting) {
      if (!open.has(request.id))
        open.set(request.id, { request, listening: reviewOf(request).onDidChange(() => put(request)) });
      put(request);
    }
  };
  const heard = approvals.onDidChange(refresh);

  return {
    refresh,
    elsewhere: () => approvals.pending().filter((request) => !isOurs(request)),
    forgetShown() {
      shownHere.clear();
      visibility?.forget();
      if (!isRemote) approvals.forgetShownWhole('page');
    },
    noteShown(id) {
      const item = items.get(id);
      if (item?.kind !== 'question' || !item.isWhole) return;
      shownHere.add(id);
      approvals.noteShownWhole(id, isRemote ? 'remote' : 'page');
      const request = open.get(id)?.request;
      if (notTaken.has(id) && request !== undefined) put(request);
    },
    async answer({ id, answer, why, isByKey }) {
      const request = open.get(id)?.request;
      const words = why.trim();
      const by = isRemote ? 'gateway' : isByKey ? 'chat view key' : 'chat view';
      if (answer === 'deny' && words !== '') {
        // Words answer whatever question of the session waits: they must not reach another one than they were written for.
        if (request !== undefined && approvals.pending().includes(request))
          await denyInWords({ runtime }, request, words, by);
        else {
          tellBefore(id);
          if (!isRemote) await openChat(words);
        }
        return;
      }
      // From afar a call is allowed once, and only by whom this page has shown all of it.
      if (isRemote && answer !== 'deny' && answer !== 'once') return;
      if (isRemote && answer === 'once' && !isSeen(id)) {
        noteNotTaken(id, 'unread');
        return;
      }
      const result = answerWithTicks(reviewOf, approvals, id, { ...decisions[answer], by });
      if (!result.ok) await tellNotTaken(id, result.error);
    },
    acceptHunk({ id, file, hunk, isAccepted }) {
      const request = open.get(id)?.request;
      if (request !== undefined) reviewOf(request).choose(isAccepted, { file, hunk });
    },
    async review(id) {
      const request = open.get(id)?.request;
      if (request !== undefined) await openToRead(reviewOf, request);
    },
    dispose() {
      heard.dispose();
      for (const { listening } of open.values()) listening.dispose();
    },
  };
}

/** From afar a call is allowed once or denied, and allowed only where all of it stands in the page. Pure. */
function remoteItem(item: QuestionItem): QuestionItem {
  return {
    ...item,
    choices: item.choices.filter(({ does }) => does === 'once' || does === 'deny'),
    status: item.isWhole
      ? vscode.l10n.t('Waits for your answer here or in VS Code.')
      : vscode.l10n.t('Too long to be allowed from here: look at it in VS Code.'),
  };
}
