import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { AppliedChange, WorkspaceFiles } from '../../tools/workspaceFiles.ts';
import type { AgentWrites } from './agentWrites.ts';

/**
 * Files as the user has them: an unsaved document counts instead of the disk, and an open document is changed through the
 * editor, so that Undo brings the old text back. Everything else is the disk's.
 */
export function createEditorFiles(disk: WorkspaceFiles, writes: AgentWrites): WorkspaceFiles {
  return {
    async readText(path) {
      const document = openDocument(path);
      return document?.isDirty === true ? document.getText() : await disk.readText(path);
    },
    readBytes: (path, maxBytes) => disk.readBytes(path, maxBytes),
    async apply(changes, call) {
      const applied: AppliedChange[] = [];
      for (const change of changes) {
        const { path, after } = change;
        const document = after === null ? undefined : openDocument(path);
        if (document === undefined) applied.push(...(await disk.apply([change], call)));
        else {
          await writes.during(document.uri.fsPath, () => replaceText(document, after ?? ''));
          applied.push({ path, text: document.getText() });
        }
      }
      return applied;
    },
  };
}

function openDocument(path: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri && !document.isClosed,
  );
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  // The editor keeps a byte order mark as part of the encoding, not of the text.
  edit.replace(document.uri, document.validateRange(everything), text.replace(/^\uFEFF/u, ''));
  if ((await vscode.workspace.applyEdit(edit)) && (await document.save())) return;
  throw new PincerError('io_failed', `VS Code could not save ${document.uri.fsPath}.`, {
    hint: 'The new text may stand unsaved in the editor; ask the user to look.',
  });
}

const everything = new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0);
