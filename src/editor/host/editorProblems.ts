import * as vscode from 'vscode';
import type { FileProblem, ProblemSource } from '../../tools/problemSource.ts';

/** Language services answer a changed text within this time or are not waited for. Milliseconds. */
const timeoutMs = 800;
/** No news for this long means that they are done. Milliseconds. */
const quietMs = 200;

const severities: Readonly<Record<vscode.DiagnosticSeverity, FileProblem['severity']>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** What the Problems panel shows, Pincer's own entries left out: they are no fault of the file's text. */
export function createEditorProblems(): ProblemSource {
  /** The version of each document that was waited for: an unchanged text needs no second wait. */
  const seen = new WeakMap<vscode.TextDocument, number>();
  return {
    async problemsOf(path) {
      const uri = vscode.Uri.file(path);
      const document = await open(uri);
      if (document === undefined) return [];
      if (seen.get(document) !== document.version) await settled(uri);
      seen.set(document, document.version);
      return vscode.languages
        .getDiagnostics(uri)
        .filter(({ source }) => source !== 'pincer')
        .map(({ severity, range, message, source }) => ({
          severity: severities[severity],
          line: range.start.line + 1,
          message,
          ...(source === undefined ? {} : { source }),
        }));
    },
  };
}

/** Most language services look only at documents that are open. */
async function open(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

async function settled(uri: vscode.Uri): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(last);
      clearTimeout(quiet);
      listening.dispose();
      resolve();
    };
    const last = setTimeout(done, timeoutMs);
    let quiet: NodeJS.Timeout | undefined;
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((each) => each.toString() === uri.toString())) return;
      clearTimeout(quiet);
      quiet = setTimeout(done, quietMs);
    });
  });
}
