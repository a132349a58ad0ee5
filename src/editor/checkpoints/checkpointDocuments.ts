import * as vscode from 'vscode';
import type { CheckpointTurn, TurnFile } from '../../checkpoints/checkpoints.ts';
import type { CheckpointSource } from './checkpointRuntime.ts';

/** What a file held before a turn; read-only. */
const scheme = 'pincer-checkpoint';

export function registerCheckpointDocuments(source: CheckpointSource): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent(uri) {
      const { checkpoints } = (await source.get()).turns;
      const bytes = await checkpoints.contentBefore(uri.query, vscode.Uri.file(uri.path).fsPath);
      return bytes === undefined ? '' : await decode(bytes);
    },
  });
}

/** UTF-8, or UTF-16 by its byte order mark. */
async function decode(bytes: Uint8Array): Promise<string> {
  return await vscode.workspace.decode(bytes, { encoding: encodingOf(bytes) });
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf16be' : 'utf8';
}

/** All files of a turn in one editor: what they held before it, and what they hold now. */
export async function showTurn(turn: CheckpointTurn): Promise<void> {
  const time = new Date(turn.startedAt).toLocaleString(vscode.env.language);
  await vscode.commands.executeCommand(
    'vscode.changes',
    vscode.l10n.t('Before the turn of {0} ↔ now', time),
    turn.files.map((file) => sidesOf(turn.id, file)),
  );
}

/** The file, its left side and its right side; undefined where it is not there. */
function sidesOf(
  turnId: string,
  { path, status }: TurnFile,
): readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] {
  const file = vscode.Uri.file(path);
  const before = file.with({ scheme, query: turnId });
  return [file, status === 'created' ? undefined : before, status === 'deleted' ? undefined : file];
}
