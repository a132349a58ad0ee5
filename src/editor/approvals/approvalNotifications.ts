import * as vscode from 'vscode';
import { isOrdinary } from '../../approvals/createWiderAnswers.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PincerError } from '../../base/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground, showError } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { EditReview } from '../review/editReview.ts';
import { isReviewShown, openReview } from '../review/reviewTabs.ts';
import { openReviewText } from '../review/reviewTexts.ts';
import { readSetting } from '../readSetting.ts';
import { openToRead, resolveApproval } from './approvalCommands.ts';

/**
 * Each new request as a notification with buttons, unless its diff is in sight. A toast can't be taken back through the API: when
 * another surface answered first, the toasts are folded into the bell, and a late click there says that it came too late.
 */
export function registerApprovalNotifications(
  runtime: LazyRuntime,
  reviewOf: ReviewOf,
  { whenOpened }: Pick<EditReview, 'whenOpened'>,
): Disposable {
  return runtime.whenLoaded((loaded) => {
    const seen = new Set<string>();
    /** Those whose diff is in sight. */
    const inEditor = new Set<string>();
    /** Whoever is elsewhere sees no diff. */
    const isInSight = (request: ApprovalRequest): boolean =>
      vscode.window.state.focused && isReviewShown(request.id);
    const raise = (request: ApprovalRequest): void => {
      if (!loaded.approvals.pending().includes(request)) return;
      if (isOrdinary(request) && isInSight(request)) inEditor.add(request.id);
      else inBackground(notify({ runtime: loaded, reviewOf }, request));
    };
    const ask = async (request: ApprovalRequest): Promise<void> => {
      if (!isOrdinary(request)) {
        raise(request);
        return;
      }
      try {
        // The diff opens by another listener of the same change.
        await Promise.resolve();
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
      }
      if (answered.length > 0 && pending.length === 0)
        void vscode.commands.executeCommand('notifications.hideToasts');
    };
    /** Who looks at something else, or closes the diff, is asked by a toast. */
    const raiseHidden = (): void => {
      for (const request of loaded.approvals.pending())
        if (inEditor.has(request.id) && !isInSight(request)) {
          inEditor.delete(request.id);
          raise(request);
        }
    };
    return vscode.Disposable.from(
      loaded.approvals.onDidChange(follow),
      vscode.window.tabGroups.onDidChangeTabs(raiseHidden),
      vscode.window.tabGroups.onDidChangeTabGroups(raiseHidden),
      vscode.window.onDidChangeWindowState(raiseHidden),
    );
  });
}

interface Given {
  readonly runtime: Runtime;
  readonly reviewOf: ReviewOf;
}

interface Choice extends vscode.MessageItem {
  readonly decision?: ApprovalDecision;
}

/** One question. A choice takes the toast away; where the question still waits, it comes back. */
async function notify(given: Given, request: ApprovalRequest, hint = ''): Promise<void> {
  const { runtime, reviewOf } = given;
  const allowOnce: Choice = { title: vscode.l10n.t('Allow once'), decision: 'allow-once' };
  const always: Choice = { title: vscode.l10n.t('Always allow'), decision: 'allow-always' };
  const deny: Choice = { title: vscode.l10n.t('Deny'), decision: 'deny' };
  const showDiff: Choice = { title: openReviewText(reviewOf(request)) };
  const sayWhy: Choice = { title: vscode.l10n.t('Say why…') };
  const showCall: Choice = { title: vscode.l10n.t('Review…') };
  const choices = runtime.approvals.isShownWhole(request.id, 'notification')
    ? [
        allowOnce,
        ...(request.decisions.includes('allow-always') ? [always] : []),
        deny,
        sayWhy,
        ...(request.edits.length > 0 ? [showDiff] : []),
      ]
    : [showCall, deny, sayWhy];
  const choice = await vscode.window.showWarningMessage(`${hint}${questionText(request)}`, ...choices);
  if (choice === undefined) return;
  try {
    if (choice.decision !== undefined)
      await resolveApproval(reviewOf, runtime, request.id, choice.decision, 'notification');
    else if (choice === showDiff) await openReview(reviewOf(request), { preserveFocus: false });
    else if (choice === sayWhy)
      await vscode.commands.executeCommand('pincer.approvals.denyWhy', { approvalId: request.id });
    else {
      await openToRead(reviewOf, request);
      inBackground(notify(given, request));
    }
  } catch (error) {
    const isTooSoon = error instanceof PincerError && error.code === 'approval_too_soon';
    if (isTooSoon) inBackground(notify(given, request, `${vscode.l10n.t('That click came too soon.')} `));
    else showError(error);
  }
}

function questionText(request: ApprovalRequest): string {
  // Where Pincer asks too, the question is its own, and what a plugin adds stands in it with the plugin's name.
  const isOurs = request.askers.includes('host');
  const who = isOurs ? 'Pincer' : vscode.l10n.t('Plugin {0}', request.askers.join(', '));
  const always = request.decisions.includes('allow-always')
    ? ` ${vscode.l10n.t('(Always covers: {0})', request.grantLabel)}`
    : '';
  return notificationText(`${who}: ${request.title} · ${request.description}${always}`);
}
