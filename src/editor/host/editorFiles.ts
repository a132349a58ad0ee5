import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../../tools/workspaceFiles.ts';
import type { AgentWrites } from './agentWrites.ts';
import { createDocumentFiles } from './createDocumentFiles.ts';
import type { DocumentText, OpenDocument, OpenDocuments } from './openDocuments.ts';
import { planLineEdits } from './planLineEdits.ts';

/**
 * Files as the user has them: an unsaved document counts instead of the disk, and an open document is changed through the
 * editor, so that Undo brings the old text back. Everything else is the disk's.
 */
export function createEditorFiles(disk: WorkspaceFiles, writes: AgentWrites): WorkspaceFiles {
  const files = createDocumentFiles(disk, createOpenDocuments(writes));
  return {
    ...files,
    async apply(changes, call) {
      try {
        return await files.apply(changes, call);
      } finally {
        writes.wrote(changes.map(({ path }) => vscode.Uri.file(path).fsPath));
      }
    },
  };
}

function createOpenDocuments(writes: AgentWrites): OpenDocuments {
  return {
    find: (path) => {
      const document = findDocument(path);
      return document === undefined ? undefined : toOpenDocument(path, document);
    },
    unsaved: () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
    setTexts: async (texts) => await vscode.workspace.applyEdit(toWorkspaceEdit(texts)),
    asAgent: (paths, work) =>
      paths
        .map((path) => vscode.Uri.file(path).fsPath)
        .reduce((inner, path) => () => writes.during(path, inner), work)(),
  };
}

function findDocument(path: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri && !document.isClosed,
  );
}

function toOpenDocument(path: string, document: vscode.TextDocument): OpenDocument {
  return {
    path,
    get text() {
      return document.getText();
    },
    get isDirty() {
      return document.isDirty;
    },
    get hasByteOrderMark() {
      return ['utf8bom', 'utf16le', 'utf16be'].includes(document.encoding);
    },
    save: async () => await document.save(),
  };
}

/** One edit for all documents, which is one step of Undo. */
function toWorkspaceEdit(texts: readonly DocumentText[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of texts) {
    const open = findDocument(document.path);
    if (open === undefined) continue;
    for (const { start, end, text: newText } of planLineEdits(open.getText(), text)) {
      edit.replace(open.uri, open.validateRange(new vscode.Range(start, 0, end, 0)), newText);
    }
  }
  return edit;
}
