import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { pincerHome, userConfigPath } from '../../config/configPaths.ts';
import type { SchemaNode } from '../agentFile/schemaAt.ts';

const jsonFiles: vscode.DocumentSelector = [
  { language: 'jsonc', scheme: 'file' },
  { language: 'json', scheme: 'file' },
];

/**
 * Completes and explains the user's own config where `PINCER_HOME` names another place than a `.pincer` folder. The others have what
 * VS Code's JSON support does with the schema (`jsonValidation` of package.json). Neither needs the runtime.
 */
export function registerConfigFile(extensionUri: vscode.Uri): vscode.Disposable {
  let schema: Promise<SchemaNode> | undefined;
  const readSchema = (): Promise<SchemaNode> => (schema ??= loadSchema(extensionUri));
  const isOurs = ({ uri: { path, fsPath } }: vscode.TextDocument): boolean =>
    path.endsWith('/config.jsonc') &&
    !path.endsWith('/.pincer/config.jsonc') &&
    // `fsPath` writes a drive letter in its own way, so both sides go through it.
    vscode.Uri.file(userConfigPath(pincerHome(process.env, homedir()))).fsPath === fsPath;
  const rangeOf = (document: vscode.TextDocument, [start, end]: readonly [number, number]): vscode.Range =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      jsonFiles,
      {
        async provideCompletionItems(document, position) {
          if (!isOurs(document)) return [];
          const { completeConfig } = await import('../onDemand.ts');
          const { replaces, suggestions } = completeConfig(
            await readSchema(),
            document.getText(),
            document.offsetAt(position),
          );
          const range = rangeOf(document, replaces);
          // VS Code itself offers `$schema` in every JSON file.
          const offered = suggestions.filter(({ label }) => label !== '$schema');
          return offered.map(({ kind, label, text, detail, description }) => {
            const { Property, Value } = vscode.CompletionItemKind;
            const item = new vscode.CompletionItem(label, kind === 'key' ? Property : Value);
            item.insertText = text;
            item.range = range;
            // What is written there may begin with a quotation mark.
            item.filterText = document.getText(range).startsWith('"') ? JSON.stringify(label) : label;
            if (detail !== undefined) item.detail = detail;
            if (description !== undefined) item.documentation = description;
            // A value that begins there is due at once.
            if (text.endsWith(': '))
              item.command = {
                command: 'editor.action.triggerSuggest',
                title: vscode.l10n.t('Suggest values'),
              };
            return item;
          });
        },
      },
      '"',
    ),
    vscode.languages.registerHoverProvider(jsonFiles, {
      async provideHover(document, position) {
        if (!isOurs(document)) return undefined;
        const { describeConfigKey } = await import('../onDemand.ts');
        const found = describeConfigKey(await readSchema(), document.getText(), document.offsetAt(position));
        return found && new vscode.Hover(found.text, rangeOf(document, found.range));
      },
    }),
  );
}

async function loadSchema(extensionUri: vscode.Uri): Promise<SchemaNode> {
  const uri = vscode.Uri.joinPath(extensionUri, 'dist', 'schemas', 'config.schema.json');
  return JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) as SchemaNode;
}
