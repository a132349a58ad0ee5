import * as vscode from 'vscode';
import type { SchemaNode } from '../agentFile/schemaAt.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';

const jsonFiles: vscode.DocumentSelector = [
  { language: 'jsonc', scheme: 'file' },
  { language: 'json', scheme: 'file' },
];

/**
 * Completes and explains config files that lie elsewhere than in a `.pincer` folder, such as the user's own where `PINCER_HOME` names
 * another place. The others have what VS Code's JSON support does with the schema (`jsonValidation` of package.json).
 */
export function registerConfigFile(
  extensionUri: vscode.Uri,
  runtime: Pick<LazyRuntime, 'peek'>,
): vscode.Disposable {
  let schema: Promise<SchemaNode> | undefined;
  const readSchema = (): Promise<SchemaNode> => (schema ??= loadSchema(extensionUri));
  const isOurs = ({ uri: { path, fsPath } }: vscode.TextDocument): boolean =>
    !path.endsWith('/.pincer/config.jsonc') &&
    runtime
      .peek()
      ?.configFiles()
      .some((file) => vscode.Uri.file(file).fsPath === fsPath) === true;
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
          return suggestions.map(({ kind, label, text, detail, description }) => {
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
