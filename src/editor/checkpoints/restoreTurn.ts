import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { CheckpointTurn, RestorePlan, RestoreResult } from '../../checkpoints/checkpoints.ts';
import type { CheckpointTarget } from '../commandTable.ts';
import { inBackground } from '../registerCommand.ts';
import type { CheckpointRuntime } from './checkpointRuntime.ts';
import { continueInNewChat } from './continueFork.ts';
import { promptOf, titleOf } from './pickTurn.ts';
import { findConflicts, shortList, summarizePlan, type RestoreSummary } from './planSummary.ts';

type Part = 'files' | 'conversation' | 'both';

/** What restoring would do as things are now. */
type PlanFiles = () => Promise<RestorePlan>;

/** Asks what to restore, shows what stands in the way, asks once more, and does it. */
export async function restoreTurn(
  runtime: CheckpointRuntime,
  turn: CheckpointTurn,
  wanted?: CheckpointTarget,
): Promise<void> {
  const part = wanted?.part ?? (await pickPart(runtime, turn));
  if (part === undefined) return;
  const plan: PlanFiles = () =>
    runtime.turns.checkpoints.planRestore(turn.id, {
      also: wanted?.also ?? [],
      without: wanted?.without ?? [],
      unsaved: unsavedPaths(),
    });
  const files = part === 'conversation' ? undefined : await askAboutFiles(await plan());
  if (part !== 'conversation' && files === undefined) return;
  const title = await titleOf(runtime, turn);
  if (!(await confirm(title, part, files?.summary))) return;
  // The conversation only once the files are back: a failure must not leave half of it.
  const result = files === undefined ? undefined : await restoreFiles(runtime, plan, files.overwrite);
  if (part !== 'files') await continueInNewChat(runtime, turn);
  if (result !== undefined) inBackground(tellDone(runtime, result));
}

async function pickPart(runtime: CheckpointRuntime, turn: CheckpointTurn): Promise<Part | undefined> {
  if (turn.kind === 'restore' || (await promptOf(runtime, turn)) === undefined) return 'files';
  const items: readonly (vscode.QuickPickItem & { readonly part: Part })[] = [
    {
      part: 'files',
      iconPath: new vscode.ThemeIcon('files'),
      label: vscode.l10n.t('Files'),
      detail: vscode.l10n.t('Undoes the edits of this turn and later ones; what commands changed stays.'),
    },
    {
      part: 'conversation',
      iconPath: new vscode.ThemeIcon('comment-discussion'),
      label: vscode.l10n.t('Conversation'),
      detail: vscode.l10n.t(
        'A new chat goes on from before this turn. This chat and the files stay as they are.',
      ),
    },
    {
      part: 'both',
      iconPath: new vscode.ThemeIcon('discard'),
      label: vscode.l10n.t('Files and conversation'),
      detail: vscode.l10n.t('Both: the edits are undone, and a new chat goes on from there.'),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Restore what?'),
    placeHolder: await titleOf(runtime, turn),
    ignoreFocusOut: true,
  });
  return picked?.part;
}

interface FileChoice {
  readonly summary: RestoreSummary;
  /** Paths. */
  readonly overwrite: readonly string[];
}

/** Undefined where the user went back or nothing is to do. */
async function askAboutFiles(plan: RestorePlan): Promise<FileChoice | undefined> {
  const overwrite = await pickOverwritten(plan);
  if (overwrite === undefined) return undefined;
  const summary = summarizePlan(plan, new Set(overwrite));
  if (summary.restored.length + summary.deleted.length > 0) return { summary, overwrite };
  const why = plan.items.length === 0 ? vscode.l10n.t('The files are already as they were.') : undefined;
  void vscode.window.showInformationMessage(why ?? vscode.l10n.t('No file was restored.'));
  return undefined;
}

/** The conflicts, none ticked: what the user does not tick stays. */
async function pickOverwritten(plan: RestorePlan): Promise<readonly string[] | undefined> {
  const conflicts = findConflicts(plan);
  if (conflicts.length === 0) return [];
  const picked = await vscode.window.showQuickPick(
    conflicts.map(({ path, label, obstacle }) => ({
      path,
      label: inertLine(label, 200),
      description:
        obstacle?.kind === 'unsaved'
          ? vscode.l10n.t('has unsaved changes')
          : vscode.l10n.t('changed after that turn'),
    })),
    {
      canPickMany: true,
      ignoreFocusOut: true,
      title: vscode.l10n.t('These files are not as Pincer left them'),
      placeHolder: vscode.l10n.t('Select those to overwrite; the others stay as they are'),
    },
  );
  return picked?.map((item) => item.path);
}

async function confirm(title: string, part: Part, summary: RestoreSummary | undefined): Promise<boolean> {
  const restore = vscode.l10n.t('Restore');
  const answer = await vscode.window.showWarningMessage(
    questionOf(title, summary),
    { modal: true, detail: [...fileLines(summary), ...conversationLines(part)].join('\n\n') },
    restore,
  );
  return answer === restore;
}

function questionOf(title: string, summary: RestoreSummary | undefined): string {
  if (summary === undefined) return vscode.l10n.t('Go on in a new chat from before “{0}”?', title);
  const count = summary.restored.length + summary.deleted.length;
  return vscode.l10n.t('Restore {0} to before “{1}”?', countFiles(count), title);
}

function countFiles(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}

function fileLines(summary: RestoreSummary | undefined): readonly string[] {
  if (summary === undefined) return [];
  const { restored, deleted, overwritten, kept, refused } = summary;
  const refusals = refused.map(({ label, reason }) => `${label} (${reason})`);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [vscode.l10n.t('Get their earlier content back'), restored],
    [vscode.l10n.t('Deleted, since they did not exist then'), deleted],
    [vscode.l10n.t('Your own changes in these are lost'), overwritten],
    [vscode.l10n.t('Stay as they are'), kept],
    [vscode.l10n.t("Can't be restored"), refusals],
  ];
  return rows.flatMap(([text, names]) => {
    const list = shortList(names);
    return list === undefined ? [] : [`${text} (${String(names.length)}): ${inertLine(list, 500)}`];
  });
}

function conversationLines(part: Part): readonly string[] {
  const undo = vscode.l10n.t(
    'What commands changed stays. The current content is kept, so you can undo this.',
  );
  const chat = vscode.l10n.t(
    'A new chat opens that knows what was said before, with your message in its input. This chat stays as it is.',
  );
  if (part === 'files') return [undo];
  return part === 'conversation' ? [chat] : [undo, chat];
}

/** The plan is made again: saving what is unsaved makes it part of the checkpoint, so that undoing brings it back. */
async function restoreFiles(
  { turns: { checkpoints } }: CheckpointRuntime,
  planFiles: PlanFiles,
  overwrite: readonly string[],
): Promise<RestoreResult> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && overwrite.includes(document.uri.fsPath)) await document.save();
  }
  return await checkpoints.restore(await planFiles(), { overwrite });
}

function unsavedPaths(): readonly string[] {
  return vscode.workspace.textDocuments.flatMap((document) =>
    document.isDirty && document.uri.scheme === 'file' ? [document.uri.fsPath] : [],
  );
}

async function tellDone(runtime: CheckpointRuntime, { turnId, restored }: RestoreResult): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const done = vscode.l10n.t('Restored {0}.', countFiles(restored.length));
  if (turnId === undefined || (await vscode.window.showInformationMessage(done, undo)) !== undo) return;
  const plan = await runtime.turns.checkpoints.planRestore(turnId, { unsaved: unsavedPaths() });
  const turn = (await runtime.turns.checkpoints.list()).find((each) => each.id === turnId);
  if (turn === undefined) return;
  // Somebody has changed them since: then it is a question again.
  if (plan.items.some((item) => item.obstacle !== undefined)) await restoreTurn(runtime, turn);
  else await runtime.turns.checkpoints.restore(plan);
}
