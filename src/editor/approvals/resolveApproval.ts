import * as vscode from 'vscode';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import type { ApprovalRequest, Surface } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import { answerWithTicks, type UserAnswer } from '../review/answerWithTicks.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { sayToSession } from '../steering/sayToSession.ts';
import { openReview } from '../review/reviewTabs.ts';
import { answeredText, answerText } from './approvalTexts.ts';
import { showStatusBarNotice, showNoticeWhileAsked } from './statusBarNotice.ts';
import { findRequest, openWholeCall } from './wholeCall.ts';

/** What an answer is given with. */
export interface AnswerContext {
  readonly reviewOf: ReviewOf;
  readonly runtime: Runtime;
}

/**
 * Answers a request. A click that comes too late or too soon is told quietly; what was not shown whole is shown instead.
 * @throws PincerError as `resolve` of the broker
 */
export async function resolveApproval(
  { reviewOf, runtime }: AnswerContext,
  id: string,
  answer: UserAnswer,
): Promise<void> {
  const result = answerWithTicks(reviewOf, runtime.approvals, id, answer);
  if (result.ok) return;
  const request = findRequest(runtime, id);
  const { code, message } = result.error;
  if (code === 'approval_already_resolved') tellAnswered(runtime, id);
  else if (code === 'approval_too_soon') showNoticeWhileAsked(runtime.approvals, [id], message);
  else if (code === 'approval_not_shown' && request !== undefined) {
    const text = vscode.l10n.t('You have not seen all of this yet. Look through it, then allow it.');
    showNoticeWhileAsked(runtime.approvals, [id], text);
    await openToRead(reviewOf, request);
  } else throw result.error;
}

/**
 * A no in words. A turn that somebody follows reads them as the next message; where nobody does, they stand in the result of the call and
 * in the record, as a no from the command line does.
 */
export async function denyInWords(
  { runtime }: Pick<AnswerContext, 'runtime'>,
  { id, sessionId, isUnattended }: ApprovalRequest,
  words: string,
  by: Surface,
): Promise<void> {
  if (isUnattended !== true) await sayToSession(runtime, sessionId, 'steer', words);
  else if (!runtime.approvals.resolve(id, 'deny', by, { words }).ok) tellAnswered(runtime, id);
}

/** Opens what shows all of a request that waits: the diff, or the whole call. */
export async function openToRead(reviewOf: ReviewOf, request: ApprovalRequest): Promise<void> {
  if (diffShowsAll(request)) await openReview(reviewOf(request), { preserveFocus: false });
  else await openWholeCall(request);
}

/** A button that is pressed late is no mistake of the user's. */
export function tellAnswered(runtime: Pick<Runtime, 'approvals'>, id: string): void {
  showStatusBarNotice(answeredBeforeText(runtime, id));
}

/** How it was answered before somebody else's answer came. */
export function answeredBeforeText({ approvals }: Pick<Runtime, 'approvals'>, id: string): string {
  const record = approvals.history().find((each) => each.request.id === id);
  return record === undefined
    ? vscode.l10n.t('This approval was answered already.')
    : vscode.l10n.t('Answered already: {0}.', answeredText(answerText(record), record.by));
}
