import * as vscode from 'vscode';
import type { TimeLeft } from '../../approvals/approvalBroker.ts';
import { isOrdinary } from '../../approvals/createWiderAnswers.ts';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { EditReview } from '../review/editReview.ts';
import { isReviewShown } from '../review/reviewTabs.ts';
import { openReviewText, ticksText } from '../review/reviewTexts.ts';
import { readSetting } from '../readSetting.ts';
import { openToRead, resolveApproval, tellAnswered, type AnswerContext } from './resolveApproval.ts';
import type { QuestionVisibility } from './createQuestionVisibility.ts';
import { timeText } from './approvalTexts.ts';
import { showStatusBarNotice } from './statusBarNotice.ts';
import { activeWholeCall } from './wholeCall.ts';

/**
 * Each new request as a notification with buttons, unless what shows it whole is in sight, or has just begun to ask in the chat. A
 * toast can't be taken back through the API: when another surface answered first, the toasts are folded into the bell, and a late click
 * there says that it came too late.
 */
export function registerApprovalNotifications(
  runtime: LazyRuntime,
  reviewOf: ReviewOf,
  { whenOpened }: Pick<EditReview, 'whenOpened'>,
  visibility: Pick<QuestionVisibility, 'isAway' | 'onDidChange'>,
): Disposable {
  return runtime.whenLoaded((loaded) => {
    /** Asked by a toast as well, where the chat alone has asked for a while. */
    const clocks = new Map<string, NodeJS.Timeout>();
    const isSeen = (request: ApprovalRequest): boolean =>
      isInSight(request) ||
      (vscode.window.state.focused && (isInChatView(request) || chatTimeLeft(loaded, request) > 0));
    /** The Chat view is open, has shown all of it, and still shows it: a view that is hidden has shown nothing any more. */
    const isInChatView = ({ id }: ApprovalRequest): boolean =>
      loaded.approvals.wasShown(id, 'page') && !visibility.isAway(id);
    const seen = new Set<string>();
    /** Those that are in sight, and so need no toast. */
    const inEditor = new Set<string>();
    /** Those that wait with a notification that nobody has closed. */
    const toasts = new Map<string, object>();
    const raise = (request: ApprovalRequest): void => {
      if (!loaded.approvals.pending().includes(request)) return;
      if (!isOrdinary(request) || !isSeen(request)) inBackground(notify(request));
      else {
        inEditor.add(request.id);
        lookLater(request);
      }
    };
    /** That time stands still while the window does not have the focus, so it is looked at again. */
    const lookLater = (request: ApprovalRequest): void => {
      clearTimeout(clocks.get(request.id));
      clocks.delete(request.id);
      const ms = chatTimeLeft(loaded, request);
      if (ms <= 0) look();
      else
        clocks.set(
          request.id,
          setTimeout(() => lookLater(request), Math.max(ms, minWaitMs)),
        );
    };
    /** A choice takes the notification away; where the question still waits, it comes back. */
    const notify = async (request: ApprovalRequest): Promise<void> => {
      const toast = {};
      toasts.set(request.id, toast);
      const choice = await showQuestion({ runtime: loaded, reviewOf }, request);
      if (toasts.get(request.id) === toast) toasts.delete(request.id);
      if (choice === undefined) return;
      try {
        await choose({ runtime: loaded, reviewOf }, request, choice);
      } finally {
        raise(request);
      }
    };
    /** The command hides the toasts of everybody, which stay behind the bell: it runs only for one of ours, while no other waits. */
    const fold = (): void => {
      if (toasts.size === 0) void vscode.commands.executeCommand('notifications.hideToasts');
    };
    const ask = async (request: ApprovalRequest): Promise<void> => {
      if (!isOrdinary(request)) {
        raise(request);
        return;
      }
      try {
        // The diff opens by another listener of the same change, and the answer of the chat may still be at the step before.
        await untilInAnswer(loaded, request);
        await whenOpened(request);
      } finally {
        raise(request);
      }
    };
    const follow = (): void => {
      const pending = loaded.approvals.pending();
      for (const request of pending) {
        if (seen.has(request.id)) continue;
        seen.add(request.id);
        if (readSetting('approvals.notifications')) inBackground(ask(request));
      }
      const waiting = new Set(pending.map((request) => request.id));
      const answered = [...seen].filter((id) => !waiting.has(id));
      for (const id of answered) {
        seen.delete(id);
        inEditor.delete(id);
        clearTimeout(clocks.get(id));
        clocks.delete(id);
      }
      if (answered.filter((id) => toasts.delete(id)).length > 0) fold();
      // The answer of a busy chat may have come after the toast.
      look();
    };
    /** Who looks at something else, or closes what shows the call, is asked by a toast; it goes once that is in sight again. */
    const look = (): void => {
      for (const request of loaded.approvals.pending().filter(isOrdinary)) {
        if (inEditor.has(request.id) && !isSeen(request)) {
          inEditor.delete(request.id);
          raise(request);
        } else if (isSeen(request) && toasts.delete(request.id)) {
          inEditor.add(request.id);
          lookLater(request);
          fold();
        }
      }
    };
    return vscode.Disposable.from(
      loaded.approvals.onDidChange(follow),
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.window.tabGroups.onDidChangeTabGroups(look),
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.window.onDidChangeWindowState(look),
      visibility.onDidChange(look),
      { dispose: () => clocks.forEach((clock) => clearTimeout(clock)) },
    );
  });
}

/** Of its time so much belongs to the chat alone, where that shows all of it. */
const chatShare = 1 / 3;
/** How long the answer may take until the question stands in it, before a toast asks, and the least between two looks. Milliseconds. */
const answerMs = 300;
const minWaitMs = 1_000;

/** Resolves once the chat shows all of it, or nobody asks it any more; else after the time that an answer may take. */
async function untilInAnswer(
  { approvals }: Pick<Runtime, 'approvals'>,
  request: ApprovalRequest,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      heard.dispose();
      resolve();
    };
    const timer = setTimeout(end, answerMs);
    const heard = approvals.onDidChange(() => {
      if (isInChat(approvals, request) || !approvals.pending().includes(request)) end();
    });
  });
}

/**
 * How long the chat alone asks what it shows whole, in milliseconds; nothing where it does not. Whether the panel is in sight no stable
 * API tells: who has closed it, or looks at another one, is asked by a toast after that. The Chat view asks alone as long as it shows it.
 */
function chatTimeLeft({ approvals }: Pick<Runtime, 'approvals'>, { id, timeoutMs }: ApprovalRequest): number {
  if (!approvals.wasShown(id, 'answer')) return 0;
  return Math.max(0, (approvals.timeLeft(id)?.ms ?? 0) - (1 - chatShare) * timeoutMs);
}

/** All of it stands in an answer of the panel, or has come up in the Chat view. */
function isInChat(approvals: Runtime['approvals'], { id }: Pick<ApprovalRequest, 'id'>): boolean {
  return approvals.wasShown(id, 'answer') || approvals.wasShown(id, 'page');
}

/** Its diff is in front, or its whole call has the focus; whoever is elsewhere sees neither. */
function isInSight({ id }: ApprovalRequest): boolean {
  return vscode.window.state.focused && (isReviewShown(id) || activeWholeCall() === id);
}

/** What a button does: it answers, or opens something. */
interface Choice extends vscode.MessageItem {
  readonly does: ApprovalDecision | 'open' | 'say why';
  /** What a yes said of hunks that were rejected. */
  readonly ticks?: string | undefined;
}

/** Undefined where the notification was closed. Where the question cuts or hides something, it offers no yes. */
async function showQuestion(
  { runtime, reviewOf }: AnswerContext,
  request: ApprovalRequest,
): Promise<Choice | undefined> {
  const ticks = ticksText(reviewOf(request));
  const allowOnce: Choice = { title: ticks ?? vscode.l10n.t('Allow once'), does: 'allow-once', ticks };
  const always: Choice = { title: vscode.l10n.t('Always allow'), does: 'allow-always', ticks };
  const deny: Choice = { title: vscode.l10n.t('Deny'), does: 'deny' };
  const sayWhy: Choice = { title: vscode.l10n.t('Say why…'), does: 'say why' };
  const showDiff: Choice = { title: openReviewText(reviewOf(request)), does: 'open' };
  const review: Choice = { title: vscode.l10n.t('Review…'), does: 'open' };
  const offersAlways = request.decisions.includes('allow-always') && ticks === undefined;
  const choices = runtime.approvals.isShownWhole(request.id, 'notification')
    ? [
        ...(reviewOf(request).choiceOf() === 'rejected' ? [] : [allowOnce]),
        // A part is nothing to be allowed for good, and a fifth button leaves no room for the words of the first.
        ...(offersAlways ? [always] : []),
        deny,
        sayWhy,
        ...(diffShowsAll(request) ? [showDiff] : []),
      ]
    : [review, deny, sayWhy];
  const left = runtime.approvals.timeLeft(request.id);
  return await vscode.window.showWarningMessage(questionText(request, { left, offersAlways }), ...choices);
}

async function choose(
  { runtime, reviewOf }: AnswerContext,
  request: ApprovalRequest,
  { does, ticks }: Choice,
): Promise<void> {
  if (!runtime.approvals.pending().includes(request)) tellAnswered(runtime, request.id);
  else if (does === 'open') await openToRead(reviewOf, request);
  else if (does === 'say why')
    await vscode.commands.executeCommand('pincer.approvals.denyWhy', { approvalId: request.id });
  else if (does !== 'deny' && ticksText(reviewOf(request)) !== ticks)
    showStatusBarNotice(
      vscode.l10n.t('The accepted hunks have changed since. Check the button, then click again.'),
    );
  else await resolveApproval({ reviewOf, runtime }, request.id, { decision: does, by: 'notification' });
}

/** `left`: what is left of its time; a toast can't count down. */
function questionText(
  request: ApprovalRequest,
  { left, offersAlways }: { readonly left: TimeLeft | undefined; readonly offersAlways: boolean },
): string {
  // Where Pincer asks too, the question is its own, and what a plugin adds stands in it with the plugin's name.
  const isOurs = request.askers.includes('host');
  const who = isOurs ? 'Pincer' : vscode.l10n.t('Plugin {0}', request.askers.join(', '));
  const always = offersAlways ? ` ${vscode.l10n.t('(Always covers: {0})', request.grantLabel)}` : '';
  const time = isOurs ? ` · ${vscode.l10n.t('Denied {0}', timeText(request, left))}` : '';
  return notificationText(`${who}: ${request.title} · ${request.description}${always}${time}`);
}
