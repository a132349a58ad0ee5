import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { placeAt } from './placeAt.ts';
import { describeKey, planSuggestions, type Suggestion } from './planSuggestions.ts';
import type { SchemaNode } from './schemaAt.ts';

const yamlFiles: vscode.DocumentSelector = { language: 'yaml', scheme: 'file' };

/** Completes and explains agent files by the schema that ships with the extension; nothing is read before the first question. */
export function registerAgentFile(
  extensionUri: vscode.Uri,
  runtime: Pick<LazyRuntime, 'peek'>,
): vscode.Disposable {
  let schema: Promise<SchemaNode> | undefined;
  const readSchema = (): Promise<SchemaNode> => (schema ??= loadSchema(extensionUri));
  // That of the user's config may lie anywhere.
  const isAgentFile = ({ uri: { path, fsPath } }: vscode.TextDocument): boolean =>
    /\/\.pincer\/agent\.ya?ml$/u.test(path) || runtime.peek()?.plugins.dexto.watches(fsPath) === true;
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(yamlFiles, {
      async provideCompletionItems(document, position) {
        if (!isAgentFile(document)) return [];
        const place = placeAt(linesOf(document), position.line, position.character);
        if (place === undefined) return [];
        return planSuggestions(await readSchema(), place).map(toItem);
      },
    }),
    vscode.languages.registerHoverProvider(yamlFiles, {
      async provideHover(document, position) {
        if (!isAgentFile(document)) return undefined;
        const range = document.getWordRangeAtPosition(position, /[\w$-]+(?=\s*:)/u);
        if (range === undefined) return undefined;
        const place = placeAt(linesOf(document), position.line, range.start.character);
        const name = document.getText(range);
        const text = place && describeKey(await readSchema(), [...place.path, name]);
        return text === undefined ? undefined : new vscode.Hover(text, range);
      },
    }),
  );
}

async function loadSchema(extensionUri: vscode.Uri): Promise<SchemaNode> {
  const uri = vscode.Uri.joinPath(extensionUri, 'dist', 'schemas', 'agent.schema.json');
  return JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) as SchemaNode;
}

function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(/\r?\n/u);
}

function toItem(suggestion: Suggestion): vscode.CompletionItem {
  const { Property, Value } = vscode.CompletionItemKind;
  const item = new vscode.CompletionItem(suggestion.label, suggestion.kind === 'key' ? Property : Value);
  item.insertText = suggestion.text;
  if (suggestion.detail !== undefined) item.detail = suggestion.detail;
  if (suggestion.description !== undefined) item.documentation = suggestion.description;
  // A value that begins there is due at once.
  if (suggestion.text.endsWith(': '))
    item.command = { command: 'editor.action.triggerSuggest', title: vscode.l10n.t('Suggest values') };
  return item;
}
