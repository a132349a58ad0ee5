import * as vscode from 'vscode';
import { groupQuestions, planTogether, sizeOf, type QuestionGroup } from '../../approvals/groupQuestions.ts';
import { approvalTooSoon } from '../../approvals/approvalErrors.ts';
import { surfaces } from '../../approvals/surfaces.ts';
import { widthOf } from '../../base/text.ts';
import type { ApprovalRequest, Surface } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { GroupTarget } from '../commandTable.ts';
import { notificationText } from '../notificationText.ts';
import { answerWithTicks } from '../review/answerWithTicks.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { plainItem } from './answerChoice.ts';
import { groupText, requestName } from './approvalTexts.ts';
import { tellAnswered } from './resolveApproval.ts';
import { showNoticeWhileAsked } from './statusBarNotice.ts';

/** What a yes to several questions is given with. */
interface GroupContext {
  readonly reviewOf: ReviewOf;
  readonly approvals: Runtime['approvals'];
  readonly by: Surface;
}

/** The questions that one yes may answer there, by kind and folder. One of which a part was rejected wants a yes of its own. */
export function groupsFor(context: GroupContext): readonly QuestionGroup[] {
  const mayJoin = (request: ApprovalRequest): boolean => mayJoinThere(context, request);
  const groups = groupQuestions(context.approvals.pending(), mayJoin);
  return context.by === 'palette' ? groups.filter((group) => isSeen(context, group)) : groups;
}

/** The list of the palette names them in one line: all of them fit there, or they stood elsewhere. */
function isSeen({ approvals, by }: GroupContext, { requests }: QuestionGroup): boolean {
  const wasOpened = ({ id }: ApprovalRequest): boolean =>
    approvals.wasShown(id, 'call') || approvals.wasShown(id, 'diff');
  return requests.every(wasOpened) || widthOf(namesOf(requests)) <= (surfaces[by].room ?? Infinity);
}

/** Threat: an address may carry off in its path what its host does not tell. */
function namesOf(requests: readonly ApprovalRequest[]): string {
  return requests.map((request) => requestName(request, 'url')).join(' · ');
}

/** The group of a question that is about to be shown there whole. */
export function groupWith(context: GroupContext, shown: ApprovalRequest): QuestionGroup | undefined {
  const mayJoin = (request: ApprovalRequest): boolean =>
    request === shown ? isAccepted(context, request) : mayJoinThere(context, request);
  return groupQuestions(context.approvals.pending(), mayJoin).find(({ requests }) =>
    requests.includes(shown),
  );
}

function mayJoinThere(context: GroupContext, request: ApprovalRequest): boolean {
  return context.approvals.isShownWhole(request.id, context.by) && isAccepted(context, request);
}

function isAccepted({ reviewOf }: GroupContext, request: ApprovalRequest): boolean {
  return reviewOf(request).choiceOf() === 'accepted';
}

/**
 * Allows once, together, what the link or row has named, as far as it still waits and may be, oldest first; where none is named, the
 * group that the user picks. A click that comes too soon for one of them allows none. What was not allowed is named.
 * @throws PincerError as `resolve` of the broker
 */
export async function allowTogether(given: GroupContext, target: GroupTarget): Promise<void> {
  const { approvals, reviewOf, by } = given;
  const ids = target?.approvalIds ?? (await pickGroup(given))?.requests.map(({ id }) => id);
  if (ids === undefined) return;
  const plan = planTogether(
    ids,
    approvals.pending(),
    (request) => mayJoinThere(given, request),
    ({ id }) => approvals.isTooSoon(id, by),
  );
  if (plan === undefined) {
    showNoticeWhileAsked(approvals, ids, approvalTooSoon().message);
    return;
  }
  const together = plan.allowed.length > 1 ? { together: sizeOf(plan.allowed) } : {};
  for (const { id } of plan.allowed) {
    const answer = { decision: 'allow-once', by, ...together } as const;
    const result = answerWithTicks(reviewOf, approvals, id, answer);
    // The answer to another one may have answered it.
    if (!result.ok && result.error.code !== 'approval_already_resolved') throw result.error;
  }
  const [first] = ids;
  if (plan.answered === ids.length && first !== undefined) tellAnswered({ approvals }, first);
  if (plan.allowed.length === ids.length || plan.answered === ids.length) return;
  const left = plan.left.map((request) => requestName(request));
  const named =
    left.length === 0
      ? ''
      : ` ${vscode.l10n.t('Still waiting, to be reviewed one by one: {0}.', left.join(', '))}`;
  void vscode.window.showInformationMessage(
    notificationText(
      vscode.l10n.t(
        'Allowed {0} of {1}; {2} were answered already.',
        plan.allowed.length,
        ids.length,
        plan.answered,
      ) + named,
    ),
  );
}

/** Also where there is one group alone: its words say what is covered. */
async function pickGroup(context: GroupContext): Promise<QuestionGroup | undefined> {
  const groups = groupsFor(context);
  if (groups.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No two waiting questions of the same kind and folder have been shown in full.'),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    groups.map((group) =>
      plainItem({
        label: groupText(group),
        detail: namesOf(group.requests),
        group,
      }),
    ),
    { placeHolder: vscode.l10n.t('What do you allow?') },
  );
  return picked?.group;
}
