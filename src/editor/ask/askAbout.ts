import { basename } from 'node:path';
import * as vscode from 'vscode';
import { askMessage, type AskKind } from './askMessage.ts';
import type { AttachedTexts } from './attachedTexts.ts';

/** A place in a document: what a quick fix or a menu entry is about. */
export interface AskPlace {
  readonly uri: vscode.Uri;
  /** Absent, the whole document. */
  readonly range?: vscode.Range;
  readonly problems: readonly vscode.Diagnostic[];
}

/** Sends a question about a place, with the place attached: its text is data and never stands in the message. */
export async function askAbout(kind: AskKind, place: AskPlace, texts: AttachedTexts): Promise<void> {
  const document = await vscode.workspace.openTextDocument(place.uri);
  const message = askMessage(kind, {
    name: nameOf(document),
    ...(place.range === undefined ? {} : { lines: linesOf(place.range) }),
    problems: place.problems,
  });
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@pincer ${message}`,
    isPartialQuery: false,
    attachFiles: [toAttach(document, place.range, texts)],
  });
}

/** What the panel's own commands attach. */
const attachedByPanel: ReadonlySet<string> = new Set(['file', 'vscode-remote', 'untitled']);

/**
 * Attaches a place of the active editor and leaves the message to the user; `keepsInput` leaves alone what the input holds. The
 * panel's own commands tell two selections of one file apart, which `attachFiles` does not.
 */
export async function addToChat(place: AskPlace, texts: AttachedTexts, keepsInput: boolean): Promise<void> {
  const input = keepsInput ? {} : { query: '@pincer ', isPartialQuery: true };
  if (!attachedByPanel.has(place.uri.scheme)) {
    const document = await vscode.workspace.openTextDocument(place.uri);
    const attachFiles = [toAttach(document, place.range, texts)];
    await vscode.commands.executeCommand('workbench.action.chat.open', { ...input, attachFiles });
    return;
  }
  await vscode.commands.executeCommand('workbench.action.chat.open', input);
  if (place.range === undefined)
    await vscode.commands.executeCommand('workbench.action.chat.attachFile', place.uri);
  else await vscode.commands.executeCommand('workbench.action.chat.attachSelection');
}

/**
 * What is meant in the active editor: the selection; without one, for a question the problems at the cursor or the function around
 * it, else the whole document. Undefined where no editor is active.
 */
export async function activePlace(kind: AskKind | 'add'): Promise<AskPlace | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const { uri } = document;
  const shown = vscode.languages.getDiagnostics(uri);
  if (!selection.isEmpty) {
    const problems = kind === 'fix' ? shown.filter(({ range }) => range.intersection(selection)) : [];
    return { uri, range: selection, problems };
  }
  if (kind === 'add') return { uri, problems: [] };
  const here = shown.filter(({ range }) => range.contains(selection.active));
  const [first, ...others] = here;
  if (first !== undefined) {
    return {
      uri,
      range: others.reduce((all, { range }) => all.union(range), first.range),
      problems: here,
    };
  }
  const around = await symbolAround(uri, selection.active);
  if (around === undefined) return { uri, problems: kind === 'fix' ? shown : [] };
  const inside = kind === 'fix' ? shown.filter(({ range }) => around.contains(range)) : [];
  return { uri, range: around, problems: inside };
}

/** What somebody means by "this" with the cursor in it. */
const meantKinds: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Enum,
]);

/** The innermost function or type around a position, as the language's own service tells. */
async function symbolAround(uri: vscode.Uri, at: vscode.Position): Promise<vscode.Range | undefined> {
  const symbols = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  let found: vscode.Range | undefined;
  // Older services list symbols without what is inside of them, which can't be told apart by nesting.
  let inside = (symbols ?? []).filter((each): each is vscode.DocumentSymbol => 'children' in each);
  while (inside.length > 0) {
    const around = inside.filter(({ range }) => range.contains(at));
    found = around.find(({ kind }) => meantKinds.has(kind))?.range ?? found;
    inside = around.flatMap(({ children }) => children);
  }
  return found;
}

/** Lines from 1 on. A selection of whole lines ends before the first character of the next one. */
function linesOf({ start, end }: vscode.Range): { readonly first: number; readonly last: number } {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: endsBefore ? end.line : end.line + 1 };
}

/** What `workbench.action.chat.open` takes: a file, or lines and columns of it from 1 on. */
type Attached =
  | vscode.Uri
  | {
      readonly uri: vscode.Uri;
      readonly range: {
        readonly startLineNumber: number;
        readonly startColumn: number;
        readonly endLineNumber: number;
        readonly endColumn: number;
      };
    };

function toAttach(
  document: vscode.TextDocument,
  range: vscode.Range | undefined,
  texts: AttachedTexts,
): Attached {
  const { scheme } = document.uri;
  const hasFile = vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
  const uri = hasFile ? document.uri : texts.hold(nameOf(document), document.getText());
  if (range === undefined) return uri;
  const { start, end } = range;
  return {
    uri,
    range: {
      startLineNumber: start.line + 1,
      startColumn: start.character + 1,
      endLineNumber: end.line + 1,
      endColumn: end.character + 1,
    },
  };
}

/** The file's name; of a cell the notebook's and which cell it is. */
function nameOf(document: vscode.TextDocument): string {
  const name = basename(document.uri.path);
  const notebook = vscode.workspace.notebookDocuments.find((each) =>
    each.getCells().some((cell) => cell.document === document),
  );
  const cell = notebook?.getCells().find((each) => each.document === document);
  return cell === undefined ? name : vscode.l10n.t('{0} cell {1}', name, cell.index + 1);
}
