import * as vscode from 'vscode';
import { groupQuestions, type QuestionGroup } from '../../approvals/createWiderAnswers.ts';
import type { Surface } from '../../approvals/surfaces.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { GroupTarget } from '../commandTable.ts';
import { answerWithTicks } from '../review/answerWithTicks.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { groupText, requestName } from './approvalTexts.ts';
import { sayQuietly } from './sayQuietly.ts';

/** What a yes to several questions is given with. */
export interface Together {
  readonly reviewOf: ReviewOf;
  readonly approvals: Runtime['approvals'];
  readonly by: Surface;
}

/** The questions that one yes may answer there, by kind and folder. One of which a part was rejected wants a yes of its own. */
export function groupsFor(together: Together, least = 2): readonly QuestionGroup[] {
  const { approvals, by } = together;
  return groupQuestions(
    approvals.pending(),
    (request) => approvals.isShownWhole(request.id, by) && isAccepted(together, request),
    least,
  );
}

/** The group of a question that is about to be shown there whole. */
export function groupWith(together: Together, shown: ApprovalRequest): QuestionGroup | undefined {
  const { approvals, by } = together;
  const mayJoin = (request: ApprovalRequest): boolean =>
    (request === shown || approvals.isShownWhole(request.id, by)) && isAccepted(together, request);
  return groupQuestions(approvals.pending(), mayJoin).find(({ requests }) => requests.includes(shown));
}

function isAccepted({ reviewOf }: Together, request: ApprovalRequest): boolean {
  return reviewOf(request).choiceOf() === 'accepted';
}

/**
 * Allows once, together, what the link or row has named, as far as it still waits and may be; where none is named, the group that the
 * user picks. A click that comes too soon is told quietly.
 * @throws PincerError as `resolve` of the broker
 */
export async function allowTogether(together: Together, target: GroupTarget): Promise<void> {
  const ids = target?.approvalIds ?? (await pickGroup(together))?.requests.map(({ id }) => id);
  if (ids === undefined) return;
  const asked = groupsFor(together, 1)
    .flatMap(({ requests }) => requests)
    .filter(({ id }) => ids.includes(id));
  // The newest first: it is the one that a click may have met by chance.
  for (const { id } of asked.reverse()) {
    const result = answerWithTicks(together.reviewOf, together.approvals, id, 'allow-once', together.by);
    if (result.ok) continue;
    if (result.error.code !== 'approval_too_soon') throw result.error;
    sayQuietly(result.error.message);
    return;
  }
  if (asked.length === ids.length) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Allowed {0} of {1}. The others were already answered, or have to be reviewed one by one.',
      asked.length,
      ids.length,
    ),
  );
}

/** Also where there is one group alone: its words say what is covered. */
async function pickGroup(together: Together): Promise<QuestionGroup | undefined> {
  const groups = groupsFor(together);
  if (groups.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No two waiting questions of the same kind and folder have been shown in full.'),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    groups.map((group) => ({
      label: groupText(group),
      detail: group.requests.map(requestName).join(' · '),
      group,
    })),
    { placeHolder: vscode.l10n.t('What do you allow?') },
  );
  return picked?.group;
}
