import * as vscode from 'vscode';
import type { ApprovalDecision, ApprovalRequest, Surface, WiderScope } from '../../contracts/approval.ts';
import { saidBy } from '../../approvals/fullCall.ts';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { ticksText } from '../review/reviewTexts.ts';
import { withoutIcons } from '../jobs/jobStatus.ts';
import { coveredText } from './approvalTexts.ts';

/** How a question is picked for an answer. */
export interface AnswerChoice {
  readonly offers: (request: ApprovalRequest) => boolean;
  readonly item: (request: ApprovalRequest) => vscode.QuickPickItem;
  /** Whether the surface where the user is says what the answer covers; else one question alone is picked, too. */
  readonly isSaid: (request: ApprovalRequest, by: Surface) => boolean;
}

/** For an answer that covers the question and no more. */
export const anyQuestion: AnswerChoice = {
  offers: () => true,
  item: ({ title, description }) => ({ label: title, description }),
  isSaid: () => true,
};

/** For what needs a diff. */
export const ofDiffs: AnswerChoice = { ...anyQuestion, offers: ({ edits }) => edits.length > 0 };

/**
 * For an answer: the questions that offer it, each with what the answer covers and what is called. `isShown` says of one whether all of
 * it is before the user, by this list if by nothing else; the others are looked through first.
 */
export function choiceOf(
  reviewOf: ReviewOf,
  isShown: (request: ApprovalRequest) => boolean,
  decision: ApprovalDecision,
  wider?: WiderScope,
): AnswerChoice {
  if (decision === 'deny') return anyQuestion;
  const offers = (request: ApprovalRequest): boolean =>
    request.decisions.includes(decision) && (wider === undefined || request.wider.includes(wider));
  const covered = wider ?? (decision === 'allow-always' ? 'always' : undefined);
  const textOf = (request: ApprovalRequest): string =>
    covered === undefined
      ? `${ticksText(reviewOf(request)) ?? vscode.l10n.t('Allow once')}: ${request.title}`
      : coveredText(request, covered);
  return {
    offers,
    item: (request) => {
      if (!isShown(request)) return { label: vscode.l10n.t('Review: {0}', request.title) };
      const called = saidBy(request.effects ?? []);
      // The title stands where its description would.
      const words = called.length === 0 && covered !== undefined ? [request.description] : called;
      const limits = covered === undefined ? [] : [limitsText(covered)];
      return {
        label: textOf(request),
        description: covered === undefined ? request.description : request.title,
        // Nothing stands beside it that could cut it.
        detail: [...words.map(showHiddenLine), ...limits].join(' · '),
      };
    },
    // A link of the chat says what more is covered; the menu of a row and the palette have one title for all, and the palette no question.
    isSaid: (request, by) => {
      if (by === 'palette') return !isShown(request);
      if (by === 'chat button') return true;
      return covered === undefined && (by === 'view' || ticksText(reviewOf(request)) === undefined);
    },
  };
}

/** Threat: `$(name)` of a command would be drawn as an icon, and the part that it runs be missing where the yes is given. */
export function plainItem<Item extends vscode.QuickPickItem>(item: Item): Item {
  const plain = { ...item, label: withoutIcons(item.label) };
  if (item.description !== undefined) plain.description = withoutIcons(item.description);
  if (item.detail !== undefined) plain.detail = withoutIcons(item.detail);
  return plain;
}

/** What its words leave open. */
function limitsText(covered: WiderScope | 'always'): string {
  switch (covered) {
    case 'turn':
      return vscode.l10n.t(
        'Also covers later edits until the turn ends, except in protected places and where a plugin asks.',
      );
    case 'session':
      return vscode.l10n.t(
        'Exactly this, until the session or the window ends. Does not answer what plugins ask.',
      );
    case 'always':
      return vscode.l10n.t('Exactly this, in this workspace, until you revoke it in the Approvals view.');
  }
}
