import * as vscode from 'vscode';
import type { ApprovalRecord, TimeLeft } from '../../approvals/approvalBroker.ts';
import type { ApprovalMode } from '../../approvals/decideMode.ts';
import { askedAbout } from '../../approvals/askedAbout.ts';
import { sizeOf, type QuestionGroup } from '../../approvals/groupQuestions.ts';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { truncate } from '../../base/text.ts';
import type {
  AnsweredBy,
  BatchAnswer,
  ApprovalRequest,
  ApprovalResolution,
  WiderScope,
} from '../../contracts/approval.ts';
import { timeLeft } from './timeLeft.ts';

/** How a request ended, as the history and the chat say it. */
export function resolutionText(resolution: ApprovalResolution): string {
  switch (resolution) {
    case 'allow-once':
      return vscode.l10n.t('Allowed once');
    case 'allow-always':
      return vscode.l10n.t('Always allowed');
    case 'deny':
      return vscode.l10n.t('Denied');
    case 'timeout':
      return vscode.l10n.t('Nobody answered in time');
    case 'cancelled':
      return vscode.l10n.t('Cancelled');
  }
}

/** What was answered, as the history and the chat say it: `Allowed all edits of this turn` where that was more than the call. */
export function answerText({
  request,
  resolution,
  wider,
  together,
}: Pick<ApprovalRecord, 'request' | 'resolution' | 'wider' | 'together'>): string {
  if (together !== undefined && request.kind !== undefined) return togetherText(request.kind.does, together);
  if (wider === undefined) return resolutionText(resolution);
  switch (wider) {
    case 'turn': {
      const folder = request.kind === undefined ? undefined : folderName(request.kind.root);
      return folder === undefined
        ? vscode.l10n.t('Allowed all edits of this turn')
        : vscode.l10n.t('Allowed all edits of this turn in the folder {0}', folder);
    }
    case 'session':
      return vscode.l10n.t('Allowed for this session');
  }
}

/** `Allowed 2 commands of 2 sessions`: what one yes to several questions did. */
function togetherText(does: QuestionGroup['kind']['does'], { count, sessions }: BatchAnswer): string {
  switch (does) {
    case 'edit':
      return sessions === 1
        ? vscode.l10n.t('Allowed {0} edits with one answer', count)
        : vscode.l10n.t('Allowed {0} edits of {1} sessions', count, sessions);
    case 'command':
      return sessions === 1
        ? vscode.l10n.t('Allowed {0} commands with one answer', count)
        : vscode.l10n.t('Allowed {0} commands of {1} sessions', count, sessions);
    case 'connection':
      return sessions === 1
        ? vscode.l10n.t('Allowed {0} connections with one answer', count)
        : vscode.l10n.t('Allowed {0} connections of {1} sessions', count, sessions);
  }
}

/** The title, and what it does not name: what was decided is told from other decisions by it. */
export function requestName(
  request: Pick<ApprovalRequest, 'title' | 'edits' | 'effects'>,
  place?: 'host' | 'url',
): string {
  const asked = askedAbout(request, place);
  return asked === undefined ? request.title : `${request.title}: ${truncate(showHiddenLine(asked), 80)}`;
}

/** When a question is denied that nobody answers; `left` is what is left of its time, by default all of it. It stays true while that passes. */
export function timeText(
  { timeoutMs, isTimeWatched, createdAt }: ApprovalRequest,
  { ms, isRunning }: TimeLeft = { ms: timeoutMs, isRunning: true },
): string {
  if (!isTimeWatched)
    return vscode.l10n.t('if nobody answers by {0}', new Date(createdAt + timeoutMs).toLocaleTimeString());
  return isRunning
    ? vscode.l10n.t('if nobody answers within {0} while this window has the focus', timeLeft(ms))
    : vscode.l10n.t('if nobody answers within {0} once this window has the focus', timeLeft(ms));
}

/** The folder of a workspace that has several, by its whole path where two have one name; undefined where there is only one to mean. */
function folderName(root: string): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return undefined;
  const name = folders.find(({ uri }) => uri.fsPath === root)?.name;
  return folders.filter((each) => each.name === name).length === 1 ? name : root;
}

/** `Allow all 5 edits of this folder`, `Allow all 2 edits of 2 sessions`: what one yes to a group covers. */
export function groupText({ kind, requests }: QuestionGroup): string {
  const { count, sessions } = sizeOf(requests);
  const folder = folderName(kind.root);
  const text =
    sessions === 1 ? textOfOne(kind.does, count, folder) : textOfSeveral(kind.does, count, sessions);
  // A row of a narrow view holds no more; where there is one folder only, it is the one that is meant.
  return sessions === 1 || folder === undefined || kind.does === 'connection'
    ? text
    : vscode.l10n.t('{0} in the folder {1}', text, folder);
}

function textOfOne(does: QuestionGroup['kind']['does'], count: number, folder: string | undefined): string {
  switch (does) {
    case 'edit':
      return folder === undefined
        ? vscode.l10n.t('Allow all {0} edits of this folder', count)
        : vscode.l10n.t('Allow all {0} edits of the folder {1}', count, folder);
    case 'command':
      return folder === undefined
        ? vscode.l10n.t('Allow all {0} commands in this folder', count)
        : vscode.l10n.t('Allow all {0} commands in the folder {1}', count, folder);
    case 'connection':
      return vscode.l10n.t('Allow all {0} connections', count);
  }
}

function textOfSeveral(does: QuestionGroup['kind']['does'], count: number, sessions: number): string {
  switch (does) {
    case 'edit':
      return vscode.l10n.t('Allow all {0} edits of {1} sessions', count, sessions);
    case 'command':
      return vscode.l10n.t('Allow all {0} commands of {1} sessions', count, sessions);
    case 'connection':
      return vscode.l10n.t('Allow all {0} connections of {1} sessions', count, sessions);
  }
}

/** `Allow exec npm test for this session`: what a yes covers that covers more than its call. */
export function coveredText({ kind, grantLabel }: ApprovalRequest, covered: WiderScope | 'always'): string {
  switch (covered) {
    case 'turn': {
      const folder = kind === undefined ? undefined : folderName(kind.root);
      return folder === undefined
        ? vscode.l10n.t('Allow all edits of this turn')
        : vscode.l10n.t('Allow all edits of this turn in the folder {0}', folder);
    }
    case 'session':
      return vscode.l10n.t('Allow {0} for this session', grantLabel);
    case 'always':
      return vscode.l10n.t('Always allow {0}', grantLabel);
  }
}

/** An answer with who or what gave it, as the history says it; traces of earlier versions may have names of their own for that. */
export function answeredText(answer: string, by: string): string {
  return `${answer} ${surfaceText(by)}`.trimEnd();
}

/** Empty where the answer says it already. */
function surfaceText(by: string): string {
  const texts: Readonly<Record<AnsweredBy, string>> = {
    notification: vscode.l10n.t('in the notification'),
    chat: vscode.l10n.t('with /approve'),
    'chat button': vscode.l10n.t('in the chat'),
    'chat key': vscode.l10n.t('in the chat'),
    'chat view': vscode.l10n.t('in the Chat view'),
    'chat view key': vscode.l10n.t('in the Chat view'),
    view: vscode.l10n.t('in the Approvals view'),
    palette: vscode.l10n.t('from the command palette'),
    call: vscode.l10n.t('in the view of the whole call'),
    terminal: vscode.l10n.t('in the terminal'),
    gateway: vscode.l10n.t('from a gateway client'),
    review: vscode.l10n.t('in the edit review'),
    words: vscode.l10n.t('with a message'),
    turn: vscode.l10n.t('with all edits of the turn'),
    session: vscode.l10n.t('by an earlier answer of the session'),
    grant: vscode.l10n.t('by an earlier "always"'),
    policy: vscode.l10n.t('by the approval mode'),
    timeout: '',
    cancel: vscode.l10n.t('with the turn'),
  };
  return Object.hasOwn(texts, by) ? texts[by as AnsweredBy] : by;
}

/** `Pincer`, `plugin guard`, or both. */
export function askersText(askers: readonly string[]): string {
  return askers.map((asker) => (asker === 'host' ? 'Pincer' : vscode.l10n.t('plugin {0}', asker))).join(', ');
}

/** A mode's name for people and what it means. */
export function modeTexts(mode: ApprovalMode): { readonly label: string; readonly meaning: string } {
  switch (mode) {
    case 'deny':
      return {
        label: vscode.l10n.t('Deny'),
        meaning: vscode.l10n.t('What needs approval is denied; nobody is asked.'),
      };
    case 'allowlist':
      return {
        label: vscode.l10n.t('Allow list'),
        meaning: vscode.l10n.t(
          'What the allow list or an earlier "always" covers runs; the rest is denied without asking.',
        ),
      };
    case 'ask':
      return {
        label: vscode.l10n.t('Ask'),
        meaning: vscode.l10n.t('You are asked before files change, commands run or new hosts are reached.'),
      };
    case 'auto':
      return {
        label: vscode.l10n.t('Auto'),
        meaning: vscode.l10n.t('Ordinary edits and reading from the web run; commands and the rest ask.'),
      };
    case 'full':
      return {
        label: vscode.l10n.t('Full'),
        meaning: vscode.l10n.t('Everything runs, except in protected places and where a plugin asks.'),
      };
  }
}
