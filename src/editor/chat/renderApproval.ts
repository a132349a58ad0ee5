import * as vscode from 'vscode';

import type { QuestionGroup } from '../../approvals/groupQuestions.ts';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import type { Disposable } from '../../base/disposable.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ApprovalRequest, WiderScope } from '../../contracts/approval.ts';
import {
  answerText,
  askersText,
  coveredText,
  groupText,
  requestName,
  answeredText,
  timeText,
} from '../approvals/approvalTexts.ts';
import { namedQuestions, shownCall, type ShownCall } from '../approvals/shownCall.ts';
import { readSetting } from '../readSetting.ts';
import type { ReviewState } from '../review/createReviewState.ts';
import { countText, openReviewText } from '../review/reviewTexts.ts';
import type { AnswerStream, OrderedStream } from './orderedStream.ts';
import type { RunNote } from './runNotes.ts';
import { codeMarkdown, commandLink, trustedMarkdown, type LinkCommand } from './trustedMarkdown.ts';
import { showProgress } from './showProgress.ts';

/** The command that gives each answer that covers more than its call. */
const commandFor: Readonly<Record<WiderScope | 'always', LinkCommand>> = {
  turn: 'pincer.approvals.allowTurn',
  session: 'pincer.approvals.allowSession',
  always: 'pincer.approvals.allowAlways',
};

type ApprovalResolved = Extract<AgentEvent, { type: 'approval_resolved' }>;

/**
 * The same question as in the notification and in the Approvals view. `noteShown` is told where all of the call stands in the
 * answer; where it does not and no diff opens beside it, there is no yes to click. `groupOf` tells which questions a yes may answer
 * together with it. Until the return value is disposed, the answer says how many of the hunks are accepted in the review.
 */
export function renderApproval(
  stream: OrderedStream,
  review: ReviewState,
  noteShown: (approvalId: string) => void,
  groupOf: (request: ApprovalRequest) => QuestionGroup | undefined,
): Disposable {
  const { request } = review;
  const opensDiff = diffShowsAll(request) && readSetting('review.openDiff');
  const isCall = !diffShowsAll(request);
  const isOurs = request.askers.every((asker) => asker === 'host');
  const by = isOurs ? '' : ` · ${vscode.l10n.t('asked by {0}', askersText(request.askers))}`;
  const shownWith = (group: QuestionGroup | undefined): ShownCall => {
    if (opensDiff) return { description: request.description, reason: '', markdown: '', isWhole: false };
    const most = otherChoices(review, { offersYes: true, showsCall: isCall });
    const beside = [by, most.map(({ title }) => title).join(' · ')];
    const named = group === undefined ? [] : [groupText(group), ...namedQuestions(group).lines];
    return shownCall(request, { beside: [...beside, ...named] });
  };
  let group = groupOf(request);
  let shown = shownWith(group);
  // The call itself comes first: where the names of the others leave it no room, the Approvals view offers that answer.
  if (group !== undefined && !opensDiff && !shown.isWhole) {
    group = undefined;
    shown = shownWith(undefined);
  }
  const { description, reason, markdown, isWhole } = shown;
  const offersYes = isWhole || opensDiff;
  const icon = { info: '$(info)', warning: '$(warning)', critical: '$(error)' }[request.severity];
  const what = `${icon} **${escapeMarkdown(request.title)}** ${escapeMarkdown(description + by)}`;
  stream.markdown(trustedMarkdown(`\n\n${what}\n\n`));
  if (markdown !== '') stream.markdown(codeMarkdown(`${markdown}\n\n`));
  if (reason !== '') stream.markdown(trustedMarkdown(`${escapeMarkdown(reason)}\n\n`));
  const showsCall = markdown !== '' && isCall;
  const [{ title, command, argument }, ...denials] = answersOf(review, offersYes);
  // VS Code draws every button of an answer as a first one, and knows no colours of links: what is second is a link in bold.
  stream.button({ title, command, arguments: [argument] });
  const [deny = '', ...denyWhy] = denials.map(linkOf);
  stream.markdown(trustedMarkdown(`**$(close) ${[`${deny}**`, ...denyWhy].join(' · ')}\n\n`));
  if (group !== undefined) showGroup(stream, group);
  const others = otherChoices(review, { offersYes, showsCall });
  stream.markdown(trustedMarkdown(`${others.map(linkOf).join(' · ')}\n\n`));
  // Not before it stands there: a step in front of it may still be on its way.
  if (isWhole) stream.then(() => noteShown(request.id));
  const waits = vscode.l10n.t('Waiting for your answer. Denied {0}', timeText(request));
  showProgress(stream, waits);
  return review.onDidChange(() =>
    showProgress(stream, `${vscode.l10n.t('{0} accepted', countText(review))} · ${waits}`),
  );
}

/** One yes to several questions, and what it allows by name. */
function showGroup(stream: OrderedStream, group: QuestionGroup): void {
  const argument = { approvalIds: group.requests.map(({ id }) => id) };
  const all = linkOf({ title: groupText(group), command: 'pincer.approvals.allowAll', argument });
  stream.markdown(trustedMarkdown(`${vscode.l10n.t('{0}, that is:', all)}\n\n`));
  stream.markdown(codeMarkdown(`${namedQuestions(group).markdown}\n\n`));
}

/** Says under the buttons that they are no longer needed: what was answered, and by whom. */
export function renderResolution(
  stream: AnswerStream,
  resolved: ApprovalResolved,
  review: ReviewState,
): void {
  const { request, resolution, by } = resolved;
  // How much, the note under the answer says.
  const said = isPartial(resolved, review) ? vscode.l10n.t('Allowed in part') : answerText(resolved);
  const answer = answeredText(said, by);
  const again =
    resolution === 'timeout'
      ? ` · ${commandLink(vscode.l10n.t('Ask again'), 'pincer.approvals.askAgain', { approvalId: request.id })}`
      : '';
  stream.markdown(trustedMarkdown(`*${answer}: ${escapeMarkdown(requestName(request))}*${again}\n\n`));
}

/** What stays in sight under the answer: how much of it was taken, where that was only a part. */
export function noteOfResolution(resolved: ApprovalResolved, review: ReviewState): readonly RunNote[] {
  if (!isPartial(resolved, review)) return [];
  const text = `${escapeMarkdown(requestName(resolved.request))}: ${vscode.l10n.t('{0} accepted', countText(review))}`;
  return [{ icon: 'checklist', text }];
}

function isPartial({ resolution }: ApprovalResolved, review: ReviewState): boolean {
  return resolution.startsWith('allow') && review.choiceOf() === 'partial';
}

/** The first answer, and how to deny. Of several changes a part may be taken: then they say that they mean all. */
function answersOf(review: ReviewState, offersYes: boolean): readonly [Choice, ...Choice[]] {
  const argument = { approvalId: review.request.id };
  const deny = { title: vscode.l10n.t('Deny'), command: 'pincer.approvals.deny', argument } as const;
  const why = vscode.l10n.t('Deny and say why…');
  const denyWhy = { title: why, command: 'pincer.approvals.denyWhy', argument } as const;
  if (!offersYes) {
    const command = diffShowsAll(review.request) ? 'pincer.approvals.showDiff' : 'pincer.approvals.showCall';
    return [{ title: vscode.l10n.t('Review…'), command, argument }, deny, denyWhy];
  }
  if (review.countOf().total > 1)
    return [
      { title: vscode.l10n.t('Accept all'), command: 'pincer.review.acceptAll', argument },
      { title: vscode.l10n.t('Reject all'), command: 'pincer.review.reject', argument },
      denyWhy,
    ];
  return [
    { title: vscode.l10n.t('Allow once'), command: 'pincer.approvals.allowOnce', argument },
    deny,
    denyWhy,
  ];
}

/** One answer, or a way to look at the call. `title` is plain text. */
interface Choice {
  readonly title: string;
  readonly command: LinkCommand;
  readonly argument: object;
}

function linkOf({ title, command, argument }: Choice): string {
  return commandLink(escapeMarkdown(title), command, argument);
}

function otherChoices(
  review: ReviewState,
  {
    offersYes,
    showsCall,
  }: {
    readonly offersYes: boolean;
    readonly showsCall: boolean;
  },
): readonly Choice[] {
  const { request } = review;
  const argument = { approvalId: request.id };
  const choices: Choice[] = [];
  const add = (title: string, command: LinkCommand): void => void choices.push({ title, command, argument });
  // Without a yes it is the first button.
  if (request.edits.length > 0 && (offersYes || !diffShowsAll(request)))
    add(openReviewText(review), 'pincer.approvals.showDiff');
  if (offersYes && showsCall) add(vscode.l10n.t('Show whole call'), 'pincer.approvals.showCall');
  // The buttons take all of several changes, or none.
  if (offersYes && review.countOf().total > 1)
    add(vscode.l10n.t('Apply what is accepted'), 'pincer.approvals.allowOnce');
  const covered = [
    ...request.wider,
    ...(request.decisions.includes('allow-always') ? (['always'] as const) : []),
  ];
  if (offersYes) for (const each of covered) add(coveredText(request, each), commandFor[each]);
  return choices;
}
