import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import type { TextPart } from '../../contracts/message.ts';
import type { Runtime } from '../../runtime/index.ts';

const maxCharacters = 100_000;

/** What the user attached with `#`: whole files, selections, and plain text values. Each part says where it comes from. */
export async function readReferences(
  runtime: Runtime,
  references: readonly vscode.ChatPromptReference[],
): Promise<readonly TextPart[]> {
  return await Promise.all(references.map((reference) => readReference(runtime, reference)));
}

async function readReference(runtime: Runtime, reference: vscode.ChatPromptReference): Promise<TextPart> {
  const { value } = reference;
  try {
    if (value instanceof vscode.Uri) return attached(labelOf(value), await readDocument(value));
    if (value instanceof vscode.Location) {
      const lines = `${labelOf(value.uri)}:${String(value.range.start.line + 1)}-${String(value.range.end.line + 1)}`;
      return attached(lines, await readDocument(value.uri, value.range));
    }
    if (typeof value === 'string') return attached(reference.modelDescription ?? reference.id, value);
    return attached(reference.id, vscode.l10n.t('(This kind of attachment can not be read by Pincer.)'));
  } catch (error) {
    runtime.host.log.write('warn', `Attachment ${reference.id}: ${errorMessage(error)}`);
    return attached(reference.id, `(could not be read: ${errorMessage(error)})`);
  }
}

/** Reads through the editor, so that unsaved text counts. */
async function readDocument(uri: vscode.Uri, range?: vscode.Range): Promise<string> {
  const stat = await vscode.workspace.fs.stat(uri);
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return entries.map(([name, type]) => (type === vscode.FileType.Directory ? `${name}/` : name)).join('\n');
  }
  return (await vscode.workspace.openTextDocument(uri)).getText(range);
}

function labelOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

function attached(label: string, text: string): TextPart {
  const cut =
    text.length > maxCharacters
      ? `${text.slice(0, maxCharacters)}\n[cut: ${String(text.length - maxCharacters)} more characters]`
      : text;
  return { type: 'text', text: `Attached by the user, as data: ${label}\n\n${cut}`, isContext: true };
}
