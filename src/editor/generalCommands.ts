import * as vscode from 'vscode';
import { userConfigPath, workspaceConfigPath } from '../config/configPaths.ts';
import type { ChatMemory } from './chat/chatMemory.ts';
import type { LazyRuntime } from './lazyRuntime.ts';
import { openChat } from './openChat.ts';
import { registerCommand } from './registerCommand.ts';
import { setContextKey } from './setContextKey.ts';

/** Commands that belong to no single surface. */
export function registerGeneralCommands(
  { extension, extensionUri }: vscode.ExtensionContext,
  runtime: LazyRuntime,
  log: vscode.LogOutputChannel,
  chats: ChatMemory,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.chat.open', (query) => openChat(typeof query === 'string' ? query : '')),
    registerCommand('pincer.chat.sendAgain', async (target) => {
      if (target !== undefined) await openChat(target.message, true);
    }),
    registerCommand('pincer.session.new', async () => {
      await vscode.commands.executeCommand('workbench.action.chat.newChat');
      await openChat('');
    }),
    registerCommand('pincer.turn.resume', async () => {
      if ((await chats.interrupted()) === undefined) {
        void vscode.window.showInformationMessage(vscode.l10n.t('No turn was interrupted.'));
        return;
      }
      await openChat('/resume', true);
    }),
    registerCommand('pincer.status.show', async () => {
      const { showStatusMenu } = await import('./onDemand.ts');
      await showStatusMenu(await runtime.get());
    }),
    registerCommand('pincer.walkthrough.open', async () => {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#start`);
      // VS Code ticks no step whose context was there before it read the walkthrough: this change makes it look again.
      setContextKey('pincer.openedWalkthrough', true);
    }),
    // VS Code's own page of an extension opens no link to a file and shows no picture that is in the package.
    registerCommand('pincer.docs.open', () =>
      vscode.commands.executeCommand(
        'markdown.showPreview',
        vscode.Uri.joinPath(extensionUri, 'docs', 'README.md'),
      ),
    ),
    registerCommand(
      'pincer.config.openUser',
      async () => await openConfig(userConfigPath((await runtime.get()).workspace.home)),
    ),
    registerCommand('pincer.config.openWorkspace', async () => {
      const folder = vscode.workspace.workspaceFolders?.[0];
      if (folder !== undefined) await openConfig(workspaceConfigPath(folder.uri.fsPath));
    }),
    registerCommand('pincer.log.show', () => log.show()),
  );
}

const emptyConfig =
  '{\n  // Pincer config. Press Ctrl+Space inside the braces to see what can stand here.\n}\n';

async function openConfig(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) throw error;
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(emptyConfig));
  }
  await vscode.window.showTextDocument(uri);
}
