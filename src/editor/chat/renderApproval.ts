import * as vscode from 'vscode';
import { isShownWhole } from '../../approvals/fullCall.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ApprovalResolution } from '../../contracts/approval.ts';
import { askersText, requestName, resolutionText } from '../approvals/approvalTexts.ts';
import { shownParamsBlock } from '../approvals/shownParams.ts';
import type { CommandId } from '../commandTable.ts';
import type { ReviewState } from '../review/createReviewState.ts';
import { countText, openReviewText } from '../review/reviewTexts.ts';
import type { AnswerStream } from './orderedStream.ts';
import type { Note } from './runNotes.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';
import { showProgress } from './showProgress.ts';

/** The same question as in the notification and in the Approvals view. */
export function renderApproval(stream: AnswerStream, review: ReviewState): void {
  const { request } = review;
  const isOurs = request.askers.every((asker) => asker === 'host');
  const by = isOurs ? '' : ` · ${vscode.l10n.t('asked by {0}', askersText(request.askers))}`;
  const icon = { info: '$(info)', warning: '$(warning)', critical: '$(error)' }[request.severity];
  const what = `${icon} **${escapeMarkdown(request.title)}** ${escapeMarkdown(request.description + by)}`;
  const params = isShownWhole(request) ? '' : shownParamsBlock(request);
  stream.markdown(trustedMarkdown(`\n\n${what}${params}\n\n${otherChoices(review)}\n\n`));
  for (const { title, command } of answerButtons(review))
    stream.button({ title, command, arguments: [{ approvalId: request.id }] });
  showProgress(stream, vscode.l10n.t('Waiting for your answer'));
}

/** Says under the buttons that they are no longer needed. */
export function renderResolution(
  stream: AnswerStream,
  { request, resolution }: Extract<AgentEvent, { type: 'approval_resolved' }>,
  review: ReviewState,
): void {
  stream.markdown(`*${answerText(review, resolution)}: ${escapeMarkdown(requestName(request))}*\n\n`);
}

/** What stays in sight under the answer: that only a part was taken. */
export function noteOfResolution(
  { request, resolution }: Extract<AgentEvent, { type: 'approval_resolved' }>,
  review: ReviewState,
): readonly Note[] {
  if (review.choiceOf() !== 'partial' || !resolution.startsWith('allow')) return [];
  const text = `${answerText(review, resolution)}: ${escapeMarkdown(requestName(request))}`;
  return [{ icon: 'checklist', text }];
}

/** Of several changes a part may be taken: then the buttons say that they mean all. */
function answerButtons(review: ReviewState): readonly { title: string; command: CommandId }[] {
  return review.countOf().total > 1
    ? [
        { title: vscode.l10n.t('Accept all'), command: 'pincer.review.acceptAll' },
        { title: vscode.l10n.t('Reject all'), command: 'pincer.review.reject' },
      ]
    : [
        { title: vscode.l10n.t('Allow once'), command: 'pincer.approvals.allowOnce' },
        { title: vscode.l10n.t('Deny'), command: 'pincer.approvals.deny' },
      ];
}

/** `Allowed once, 2 of 3 hunks accepted` where a part was rejected. */
function answerText(review: ReviewState, resolution: ApprovalResolution): string {
  const isAllowed = resolution === 'allow-once' || resolution === 'allow-always';
  const part =
    isAllowed && review.choiceOf() === 'partial'
      ? `, ${vscode.l10n.t('{0} accepted', countText(review))}`
      : '';
  return `${resolutionText(resolution)}${part}`;
}

function otherChoices(review: ReviewState): string {
  const { request } = review;
  const argument = { approvalId: request.id };
  const links: string[] = [];
  if (request.edits.length > 0)
    links.push(commandLink(openReviewText(review), 'pincer.approvals.showDiff', argument));
  if (!isShownWhole(request))
    links.push(commandLink(vscode.l10n.t('Show whole call'), 'pincer.approvals.showCall', argument));
  if (request.decisions.includes('allow-always')) {
    const title = vscode.l10n.t('Always allow {0}', escapeMarkdown(request.grantLabel));
    links.push(commandLink(title, 'pincer.approvals.allowAlways', argument));
  }
  return links.join(' · ');
}
