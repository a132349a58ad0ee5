import * as vscode from 'vscode';
import { chatOf } from '../../agents/lineageOf.ts';
import type { ApprovalDecision, ApprovalRequest, Surface, WiderScope } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { ApprovalTarget, CommandId, GroupTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { openChat } from '../openChat.ts';
import { registerCommand } from '../registerCommand.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import { openReview } from '../review/reviewTabs.ts';
import { readReviewUri } from '../review/reviewUris.ts';
import { inertLine } from '../../base/text.ts';
import { allowTogether } from './allowTogether.ts';
import { anyQuestion, choiceOf, ofDiffs, plainItem, type AnswerChoice } from './answerChoice.ts';
import { requestName } from './approvalTexts.ts';
import { denyInWords, resolveApproval, tellAnswered } from './resolveApproval.ts';
import {
  activeWholeCall,
  findRequest,
  openWholeCall,
  registerWholeCalls,
  requestOfWholeCall,
} from './wholeCall.ts';

/** Answers from the palette, the Approvals view, the links of the chat and the editor of a whole call. */
export function registerApprovalCommands(
  runtime: LazyRuntime,
  reviewOf: ReviewOf,
  last: Pick<LastUsedTracker, 'surfaceOf'>,
): vscode.Disposable {
  const decide =
    (decision: ApprovalDecision, wider?: WiderScope) =>
    async (target: ApprovalTarget): Promise<void> => {
      const loaded = await runtime.get();
      const by = surfaceOf(target);
      const isShown = ({ id }: ApprovalRequest): boolean => loaded.approvals.isShownWhole(id, by);
      const choice = choiceOf(reviewOf, isShown, decision, wider);
      const request = await findPending(loaded, target, choice);
      if (request !== undefined)
        await resolveApproval({ reviewOf, runtime: loaded }, request.id, { decision, by, wider });
    };
  return vscode.Disposable.from(
    registerWholeCalls(runtime),
    registerCommand('pincer.approvals.allowOnce', decide('allow-once')),
    registerCommand('pincer.approvals.allowAlways', decide('allow-always')),
    registerCommand('pincer.approvals.allowTurn', decide('allow-once', 'turn')),
    registerCommand('pincer.approvals.allowSession', decide('allow-once', 'session')),
    registerCommand('pincer.approvals.allowAll', async (target) => {
      const { approvals } = await runtime.get();
      await allowTogether({ reviewOf, approvals, by: surfaceOf(target) }, target);
    }),
    registerCommand('pincer.approvals.deny', decide('deny')),
    registerCommand('pincer.approvals.denyWhy', async (target) => {
      const loaded = await runtime.get();
      const request = await findPending(loaded, target);
      if (request !== undefined) await denyAndSayWhy(loaded, request, surfaceOf(target));
    }),
    registerCommand('pincer.approvals.allowFromChat', async () => {
      const loaded = await runtime.get();
      const shown = loaded.approvals
        .pending()
        .filter(({ id }) => loaded.approvals.isShownWhole(id, 'chat key'));
      const request = await pickPending(
        shown,
        choiceOf(reviewOf, () => true, 'allow-once'),
      );
      if (request !== undefined)
        await resolveApproval({ reviewOf, runtime: loaded }, request.id, {
          decision: 'allow-once',
          by: 'chat key',
        });
    }),
    registerCommand('pincer.approvals.askAgain', async (target) => {
      const loaded = await runtime.get();
      const request = findRequest(loaded, idOf(target) ?? '');
      if (request !== undefined) {
        const { sessions } = loaded.conversations;
        const sessionId = await chatOf(request.sessionId, async (id) => (await sessions.open(id))?.header);
        const isPanels = surfaceOf(target) === 'chat button' && last.surfaceOf(sessionId) === 'panel';
        await askAgain(loaded, request, { sessionId, isPanels });
      } else
        void vscode.window.showInformationMessage(
          vscode.l10n.t('This request was lost when the window reloaded. Send your message again.'),
        );
    }),
    registerCommand('pincer.approvals.showDiff', async (target) => {
      const request = await findPending(await runtime.get(), target, ofDiffs);
      if (request !== undefined) await openReview(reviewOf(request), { preserveFocus: false });
    }),
    registerCommand('pincer.approvals.showCall', async (target) => {
      const loaded = await runtime.get();
      const decided = findRequest(loaded, idOf(target) ?? '');
      const request = decided ?? (await findPending(loaded, target));
      if (request !== undefined) await openWholeCall(request);
    }),
    registerCommand('pincer.approvals.revokeGrant', async (target) => {
      const loaded = await runtime.get();
      const grantId = target?.grantId ?? (await pickGrant(loaded));
      if (grantId !== undefined) await loaded.approvals.grants.revoke(grantId);
    }),
    registerCommand('pincer.approvals.setMode', async () => {
      const { chooseMode } = await import('../onDemand.ts');
      await chooseMode(await runtime.get());
    }),
    registerCommand('pincer.approvals.resume', () => vscode.commands.executeCommand('pincer.turn.resume')),
    registerCommand('pincer.approvals.dismiss', async (target) => {
      if (target !== undefined)
        await (await runtime.get()).approvals.dismissInterrupted(target.interruptedId);
    }),
  );
}

/** Where the person was: a row of the view, a link of the chat, the editor of a whole call, or the palette. */
function surfaceOf(target: ApprovalTarget | GroupTarget): Surface {
  if (isDocument(target) || (target === undefined && activeWholeCall() !== undefined)) return 'call';
  if (target === undefined) return 'palette';
  return 'kind' in target ? 'view' : 'chat button';
}

/** The editor title passes the document's address. */
function isDocument(target: unknown): target is vscode.Uri {
  return target instanceof vscode.Uri;
}

function idOf(target: ApprovalTarget): string | undefined {
  if (isDocument(target)) return requestOfWholeCall(target) ?? readReviewUri(target)?.approvalId;
  return target === undefined ? activeWholeCall() : target.approvalId;
}

async function pickGrant(runtime: Pick<Runtime, 'approvals'>): Promise<string | undefined> {
  const grants = await runtime.approvals.grants.list();
  if (grants.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No "Always Allow" is stored.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    grants.map(({ id, toolName, target, workspace }) =>
      plainItem({ label: `${toolName} ${target}`, description: workspace, id }),
    ),
    { placeHolder: vscode.l10n.t('Which one?') },
  );
  return picked?.id;
}

/** The words are the answer: they deny the question, and the agent that asked reads them next. */
async function denyAndSayWhy(runtime: Runtime, request: ApprovalRequest, by: Surface): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Deny: {0}', requestName(request)),
    prompt: vscode.l10n.t('The call is denied, and the agent reads your reason'),
    placeHolder: vscode.l10n.t('Why not, or what to do instead'),
    // A click elsewhere must not lose what was typed.
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') return;
  // Words answer whatever question of the session waits: they must not reach another one than they were written for.
  if (!runtime.approvals.pending().includes(request)) {
    tellAnswered(runtime, request.id);
    await openChat(text.trim());
    return;
  }
  await denyInWords({ runtime }, request, text.trim(), by);
}

/**
 * A question that ran out of time is put again by the agent, which then knows the state of things. `isPanels`: by a link of the chat panel,
 * in whose chat it is said.
 */
async function askAgain(
  runtime: Pick<Runtime, 'conversations'>,
  request: ApprovalRequest,
  { sessionId, isPanels }: { readonly sessionId: string; readonly isPanels: boolean },
): Promise<void> {
  const { conversations } = runtime;
  // Not the title, which a plugin may have written: these are the user's words. And they answer no other question.
  const tool = inertLine(request.toolName, 60);
  const text =
    sessionId === request.sessionId
      ? vscode.l10n.t('I missed your approval request for {0}. Please try that call again.', tool)
      : vscode.l10n.t(
          'I missed the approval request for {0} of an agent that you started. Please have it try that call again.',
          tool,
        );
  const isRunning = conversations.running(sessionId) !== undefined;
  if (isPanels && !isRunning) {
    await openChat(text, true);
    return;
  }
  await conversations.inbox.add(sessionId, 'followUp', text);
  if (isRunning) return;
  const send: CommandId = 'pincer.waiting.send';
  await vscode.commands.executeCommand(send, { sessionId });
}

/**
 * The request that is meant: the one named, the one whose whole call has the focus, the only one that offers the answer, or the one
 * the user picks. One alone is picked, too, where nothing else would say what the answer covers.
 */
async function findPending(
  runtime: Pick<Runtime, 'approvals'>,
  target: ApprovalTarget,
  choice: AnswerChoice = anyQuestion,
): Promise<ApprovalRequest | undefined> {
  const pending = runtime.approvals.pending();
  // A link that names no request is not ours.
  if (target !== undefined && !isDocument(target) && typeof target.approvalId !== 'string') return undefined;
  const id = idOf(target);
  const named = pending.find((each) => each.id === id);
  if (id !== undefined && named === undefined) {
    tellAnswered(runtime, id);
    return undefined;
  }
  const found = (named === undefined ? pending : [named]).filter(choice.offers);
  const [only, ...others] = found;
  if (only === undefined && pending.length > 0)
    void vscode.window.showInformationMessage(vscode.l10n.t('No waiting request offers this answer.'));
  const isClear = others.length === 0 && only !== undefined && choice.isSaid(only, surfaceOf(target));
  return isClear ? only : await pickPending(found, choice);
}

/** Names what is answered: the chat that asks may not be the one with the focus. */
async function pickPending(
  pending: readonly ApprovalRequest[],
  { item }: AnswerChoice,
): Promise<ApprovalRequest | undefined> {
  if (pending.length === 0) return undefined;
  const picked = await vscode.window.showQuickPick(
    pending.map((request) => ({ ...plainItem(item(request)), request })),
    {
      placeHolder:
        pending.length === 1
          ? vscode.l10n.t('Enter answers, Escape leaves it waiting')
          : vscode.l10n.t('Which request?'),
    },
  );
  return picked?.request;
}
