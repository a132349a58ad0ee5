// An extension that shows one of everything that VS Code draws for extensions: what axe finds there is VS Code's.
import * as vscode from 'vscode';

export function activate({ extensionUri }) {
  registerModel();
  registerChat(vscode.Uri.joinPath(extensionUri, 'picture.png'));
  registerViews();
  registerDocuments();
  const command = (name, run) => vscode.commands.registerCommand(`plain.${name}`, run);
  command('ask', () =>
    vscode.window
      .showWarningMessage('Is this right?', 'Yes', 'Always', 'No', 'Show')
      .then(undefined, undefined),
  );
  command('pick', pick);
  command('enter', () =>
    vscode.window.showInputBox({
      title: 'A name (1 of 2)',
      prompt: 'Any will do',
      value: 'x',
      ignoreFocusOut: true,
    }),
  );
  command('text', () => vscode.window.showTextDocument(vscode.Uri.parse('plain:/Text?after')));
  command('render', () =>
    vscode.commands.executeCommand(
      'vscode.openWith',
      vscode.Uri.parse('plain:/Page.md?page'),
      'vscode.markdown.preview.editor',
    ),
  );
  command('diff', () =>
    vscode.commands.executeCommand(
      'vscode.diff',
      vscode.Uri.parse('plain:/a.md?before'),
      vscode.Uri.parse('plain:/a.md?after'),
      'A diff',
    ),
  );
  command('steps', () =>
    vscode.commands.executeCommand('workbench.action.openWalkthrough', 'axe.plain#start', false),
  );
  const status = vscode.window.createStatusBarItem('plain', vscode.StatusBarAlignment.Right);
  status.text = 'Plain';
  status.show();
}

/** Without a model of somebody's the chat asks for a sign-in. */
function registerModel() {
  vscode.lm.registerLanguageModelChatProvider('plain', {
    provideLanguageModelChatInformation: () => [
      {
        id: 'plain',
        name: 'Plain',
        family: 'plain',
        version: '1',
        maxInputTokens: 1_000,
        maxOutputTokens: 1_000,
        capabilities: { toolCalling: true },
      },
    ],
    provideLanguageModelChatResponse: async () => undefined,
    provideTokenCount: async () => 1,
  });
  void vscode.lm.selectChatModels({ vendor: 'plain' });
}

function registerChat(picture) {
  vscode.lm.registerTool('plain_step', {
    prepareInvocation: () => ({ invocationMessage: markdown('Read [a.md](command:plain.text) · 2 lines') }),
    invoke: () => new vscode.LanguageModelToolResult([]),
  });
  const participant = vscode.chat.createChatParticipant(
    'plain.agent',
    async (request, _context, stream, token) => {
      stream.progress('Looking');
      stream.markdown('Some **words** with `code` and a [link](README.md).\n\n');
      if (request.prompt.includes('wait')) {
        stream.markdown(
          markdown('Is this right? [Yes](command:plain.ask) · [No](command:plain.ask)\n\n```\na b c\n```\n'),
        );
        stream.button({ command: 'plain.ask', title: 'Yes' });
        stream.button({ command: 'plain.pick', title: 'No' });
        await new Promise((resolve) => token.onCancellationRequested(resolve));
        return {};
      }
      await vscode.lm.invokeTool('plain_step', {
        input: {},
        toolInvocationToken: request.toolInvocationToken,
      });
      await vscode.lm.invokeTool('plain_step', {
        input: {},
        toolInvocationToken: request.toolInvocationToken,
      });
      stream.reference(vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'README.md'));
      stream.markdown(markdown('Done. [More](command:plain.text) *later*.'));
      return {};
    },
  );
  participant.iconPath = picture;
  participant.followupProvider = { provideFollowups: () => [{ prompt: 'go on', label: 'Go on' }] };
}

function registerViews() {
  const rows = (check) => ({
    getChildren: (above) => (above === undefined ? ['one', 'two'] : above === 'one' ? ['three'] : []),
    getTreeItem(name) {
      const { Collapsed, None } = vscode.TreeItemCollapsibleState;
      const item = new vscode.TreeItem(name, name === 'one' ? Collapsed : None);
      item.description = 'described';
      item.iconPath = new vscode.ThemeIcon('circle', new vscode.ThemeColor('list.warningForeground'));
      item.contextValue = 'row';
      item.tooltip = 'A row';
      item.command = { command: 'plain.text', title: 'Open' };
      if (check) item.checkboxState = vscode.TreeItemCheckboxState.Checked;
      return item;
    },
  });
  const view = vscode.window.createTreeView('plain.rows', { treeDataProvider: rows(false) });
  view.description = 'two';
  view.message = 'This is what there is.';
  view.badge = { value: 2, tooltip: '2 rows' };
  vscode.window.createTreeView('plain.ticks', { treeDataProvider: rows(true) });
  const nothing = { getChildren: () => [], getTreeItem: (name) => new vscode.TreeItem(name) };
  vscode.window.createTreeView('plain.empty', { treeDataProvider: nothing });
  vscode.window.createTreeView('plain.void', { treeDataProvider: nothing });
}

function registerDocuments() {
  const texts = {
    before: 'one\ntwo\n',
    after: 'one\n# three\n\n- four\n',
    page: [
      ...['# Page', 'Some `code`, a table and a list.', '| Part | Place |\n| - | - |\n| some | where |'],
      ...['## Part', '- this\n- that', '```text\ncode\n```', '```\nmore code\n```'],
    ].join('\n\n'),
  };
  vscode.workspace.registerTextDocumentContentProvider('plain', {
    provideTextDocumentContent: ({ query }) => texts[query],
  });
  vscode.languages.registerCodeLensProvider(
    { scheme: 'plain' },
    {
      provideCodeLenses: () =>
        ['$(check) Yes', '$(close) No', 'Both'].map(
          (title) => new vscode.CodeLens(new vscode.Range(1, 0, 1, 0), { title, command: 'plain.ask' }),
        ),
    },
  );
}

function pick() {
  const list = vscode.window.createQuickPick();
  const buttons = [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Remove' }];
  list.title = 'Pick one (1 of 2)';
  list.placeholder = 'Which?';
  list.buttons = [
    vscode.QuickInputButtons.Back,
    { iconPath: new vscode.ThemeIcon('gear'), tooltip: 'Settings' },
  ];
  list.items = [
    { label: 'Group', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(folder) One', description: 'described', detail: 'in detail', buttons },
    { label: 'Two', description: 'described', detail: 'in detail', buttons },
  ];
  list.ignoreFocusOut = true;
  list.show();
}

function markdown(text) {
  const value = new vscode.MarkdownString(text, true);
  value.isTrusted = { enabledCommands: ['plain.ask', 'plain.pick', 'plain.text'] };
  return value;
}
