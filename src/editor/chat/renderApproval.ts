import * as vscode from 'vscode';

import type { QuestionGroup } from '../../approvals/createWiderAnswers.ts';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ApprovalRequest, ApprovalResolution, WiderScope } from '../../contracts/approval.ts';
import {
  askersText,
  coveredText,
  groupText,
  requestName,
  resolutionText,
  surfaceText,
  timeText,
} from '../approvals/approvalTexts.ts';
import { shownCall } from '../approvals/shownCall.ts';
import type { CommandId } from '../commandTable.ts';
import { readSetting } from '../readSetting.ts';
import type { ReviewState } from '../review/createReviewState.ts';
import { countText, openReviewText } from '../review/reviewTexts.ts';
import type { AnswerStream, OrderedStream } from './orderedStream.ts';
import type { Note } from './runNotes.ts';
import { codeMarkdown, commandLink, trustedMarkdown } from './trustedMarkdown.ts';
import { showProgress } from './showProgress.ts';

/** The command that gives each answer that covers more than its call. */
const commandFor: Readonly<Record<WiderScope | 'always', CommandId>> = {
  turn: 'pincer.approvals.allowTurn',
  session: 'pincer.approvals.allowSession',
  always: 'pincer.approvals.allowAlways',
};

type ApprovalResolved = Extract<AgentEvent, { type: 'approval_resolved' }>;

/**
 * The same question as in the notification and in the Approvals view. `noteShown` is told where all of the call stands in the
 * answer; where it does not and no diff opens beside it, there is no yes to click. `groupOf` tells which questions a yes may answer
 * together with it.
 */
export function renderApproval(
  stream: OrderedStream,
  review: ReviewState,
  noteShown: (approvalId: string) => void,
  groupOf: (request: ApprovalRequest) => QuestionGroup | undefined,
): void {
  const { request } = review;
  const isOurs = request.askers.every((asker) => asker === 'host');
  const by = isOurs ? '' : ` · ${vscode.l10n.t('asked by {0}', askersText(request.askers))}`;
  const icon = { info: '$(info)', warning: '$(warning)', critical: '$(error)' }[request.severity];
  const opensDiff = diffShowsAll(request) && readSetting('review.openDiff');
  const { markdown, isWhole } = opensDiff ? { markdown: '', isWhole: false } : shownCall(request);
  const offersYes = isWhole || opensDiff;
  const why = markdown === '' ? request.description : descriptionAbove(request);
  const what = `${icon} **${escapeMarkdown(request.title)}** ${escapeMarkdown(why + by)}`;
  stream.markdown(trustedMarkdown(`\n\n${what}\n\n`));
  if (markdown !== '') stream.markdown(codeMarkdown(`${markdown}\n\n`));
  const showsCall = markdown !== '' && !diffShowsAll(request);
  const group = offersYes ? groupOf(request) : undefined;
  stream.markdown(trustedMarkdown(`${otherChoices(review, { offersYes, showsCall, group })}\n\n`));
  for (const { title, command } of answerButtons(review, offersYes))
    stream.button({ title, command, arguments: [{ approvalId: request.id }] });
  // Not before it stands there: a step in front of it may still be on its way.
  if (isWhole) stream.then(() => noteShown(request.id));
  showProgress(stream, vscode.l10n.t('Waiting for your answer. Denied {0}', timeText(request)));
}

/** The question without the command, where that stands below it; what plugins add must not be lost with it. */
function descriptionAbove({ askers, description, effects = [] }: ApprovalRequest): string {
  const [effect, ...others] = effects;
  const isOurs = others.length === 0 && askers.every((asker) => asker === 'host');
  if (effect?.kind !== 'execute' || !isOurs) return description;
  const at = description.indexOf(` · ${showHiddenLine(effect.command).slice(0, 20)}`);
  return at === -1 ? description : description.slice(0, at);
}

/** Says under the buttons that they are no longer needed: what was answered, and by whom. */
export function renderResolution(
  stream: AnswerStream,
  { request, resolution, by }: ApprovalResolved,
  review: ReviewState,
): void {
  const answer = [answerText(review, resolution), surfaceText(by)].join(' ');
  const again =
    resolution === 'timeout'
      ? ` · ${commandLink(vscode.l10n.t('Ask again'), 'pincer.approvals.askAgain', { approvalId: request.id })}`
      : '';
  stream.markdown(trustedMarkdown(`*${answer}: ${escapeMarkdown(requestName(request))}*${again}\n\n`));
}

/** What stays in sight under the answer: that only a part was taken. */
export function noteOfResolution(
  { request, resolution }: ApprovalResolved,
  review: ReviewState,
): readonly Note[] {
  if (review.choiceOf() !== 'partial' || !resolution.startsWith('allow')) return [];
  const text = `${answerText(review, resolution)}: ${escapeMarkdown(requestName(request))}`;
  return [{ icon: 'checklist', text }];
}

/** Of several changes a part may be taken: then the buttons say that they mean all. */
function answerButtons(
  review: ReviewState,
  offersYes: boolean,
): readonly { title: string; command: CommandId }[] {
  const deny: { title: string; command: CommandId } = {
    title: vscode.l10n.t('Deny'),
    command: 'pincer.approvals.deny',
  };
  if (!offersYes) {
    const isDiff = diffShowsAll(review.request);
    const command = isDiff ? 'pincer.approvals.showDiff' : 'pincer.approvals.showCall';
    return [{ title: vscode.l10n.t('Review…'), command }, deny];
  }
  return review.countOf().total > 1
    ? [
        { title: vscode.l10n.t('Accept all'), command: 'pincer.review.acceptAll' },
        { title: vscode.l10n.t('Reject all'), command: 'pincer.review.reject' },
      ]
    : [{ title: vscode.l10n.t('Allow once'), command: 'pincer.approvals.allowOnce' }, deny];
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

function otherChoices(
  review: ReviewState,
  {
    offersYes,
    showsCall,
    group,
  }: {
    readonly offersYes: boolean;
    readonly showsCall: boolean;
    readonly group: QuestionGroup | undefined;
  },
): string {
  const { request } = review;
  const argument = { approvalId: request.id };
  const links: string[] = [];
  // Without a yes it is the first button.
  if (request.edits.length > 0 && (offersYes || !diffShowsAll(request)))
    links.push(commandLink(openReviewText(review), 'pincer.approvals.showDiff', argument));
  if (offersYes && showsCall)
    links.push(commandLink(vscode.l10n.t('Show whole call'), 'pincer.approvals.showCall', argument));
  // The buttons take all of several changes, or none.
  if (offersYes && review.countOf().total > 1)
    links.push(commandLink(vscode.l10n.t('Apply what is accepted'), 'pincer.approvals.allowOnce', argument));
  if (group !== undefined) {
    const approvalIds = group.requests.map(({ id }) => id);
    links.push(commandLink(escapeMarkdown(groupText(group)), 'pincer.approvals.allowAll', { approvalIds }));
  }
  const covered = [
    ...request.wider,
    ...(request.decisions.includes('allow-always') ? (['always'] as const) : []),
  ];
  if (offersYes) {
    for (const each of covered)
      links.push(commandLink(escapeMarkdown(coveredText(request, each)), commandFor[each], argument));
  }
  links.push(commandLink(vscode.l10n.t('Deny and say why…'), 'pincer.approvals.denyWhy', argument));
  return links.join(' · ');
}
