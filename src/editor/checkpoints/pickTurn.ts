import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { CheckpointTurn, FileStatus } from '../../checkpoints/checkpoints.ts';
import { inBackground } from '../registerCommand.ts';
import type { CheckpointRuntime } from './checkpointRuntime.ts';
import { showTurn } from './checkpointDocuments.ts';
import { shortList } from './planSummary.ts';

interface TurnItem extends vscode.QuickPickItem {
  readonly turn: CheckpointTurn;
}

/** Lets the user choose a turn by what they asked, when, and what it changed. The button of a row shows the changes. */
export async function pickTurn(
  runtime: CheckpointRuntime,
  turns: readonly CheckpointTurn[],
  question: string,
): Promise<CheckpointTurn | undefined> {
  const picker = vscode.window.createQuickPick<TurnItem>();
  picker.title = question;
  picker.placeholder = vscode.l10n.t('Newest first');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = await Promise.all(turns.map((turn) => toItem(runtime, turn)));
  try {
    return await new Promise<CheckpointTurn | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.activeItems[0]?.turn));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidTriggerItemButton(({ item }) => inBackground(showTurn(item.turn)));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

async function toItem(runtime: CheckpointRuntime, turn: CheckpointTurn): Promise<TurnItem> {
  return {
    turn,
    label: await titleOf(runtime, turn),
    description: new Date(turn.startedAt).toLocaleString(vscode.env.language),
    detail: filesOf(turn),
    iconPath: new vscode.ThemeIcon(turn.kind === 'restore' ? 'discard' : 'comment'),
    buttons: [
      { iconPath: new vscode.ThemeIcon('diff-multiple'), tooltip: vscode.l10n.t('Show the changes') },
    ],
  };
}

/** What the user asked in the turn, on one line. */
export async function titleOf(runtime: CheckpointRuntime, turn: CheckpointTurn): Promise<string> {
  if (turn.kind === 'restore') return vscode.l10n.t('Files restored');
  const prompt = await promptOf(runtime, turn);
  return prompt === undefined ? vscode.l10n.t('A turn without a transcript') : inertLine(prompt, 60);
}

/** Undefined where the transcript is gone or can't be read; the files can be restored without it. */
export async function promptOf(
  runtime: CheckpointRuntime,
  turn: CheckpointTurn,
): Promise<string | undefined> {
  const session = await runtime.conversations.sessions.open(turn.sessionId).catch(() => undefined);
  return session?.promptOf(turn.id);
}

const statusTexts: Readonly<Record<FileStatus, string>> = {
  changed: vscode.l10n.t('Changed'),
  created: vscode.l10n.t('Created'),
  deleted: vscode.l10n.t('Deleted'),
};

function filesOf(turn: CheckpointTurn): string {
  const groups = (['changed', 'created', 'deleted'] as const).flatMap((status) => {
    const names = turn.files.flatMap((file) => (file.status === status ? [inertLine(file.label, 80)] : []));
    const list = shortList(names, 4);
    return list === undefined ? [] : [`${statusTexts[status]} ${list}`];
  });
  return groups.join(' · ');
}
