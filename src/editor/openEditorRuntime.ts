import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pincerHome } from '../config/configPaths.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type { Attention } from '../host/ports.ts';
import type { Runtime } from '../runtime/index.ts';
import type { ChatViewParts } from './chatView/createChatView.ts';
import { slashCommands, toolCommand } from './chat/slashCommands.ts';
import { offerGateway } from './gateway/offerGateway.ts';
import { servePages } from './gateway/servePages.ts';
import type { AgentWrites } from './host/agentWrites.ts';
import { createEditorFiles } from './host/editorFiles.ts';
import { createServerQuestions } from './mcp/createServerQuestions.ts';
import { tellChanges } from './mcp/tellChanges.ts';
import { createEditorLog } from './host/editorLog.ts';
import { createEditorProblems } from './host/editorProblems.ts';
import { createEditorSecrets } from './host/editorSecrets.ts';
import { fileLink } from './host/fileLink.ts';
import { findRipgrep } from './host/findRipgrep.ts';
import { registerAccounts } from './models/signIn.ts';
import { memorySettings, readFolderGlobs } from './memory/readFolderGlobs.ts';
import { inBackground } from './registerCommand.ts';
import { createChannelsView } from './channels/channelsView.ts';
import { createScheduleView } from './schedule/scheduleView.ts';
import { currentFolders, stateFolder } from './stateFolder.ts';

/** Loads the runtime bundle and opens it on the window's folders; folder and trust changes take effect live. */
export async function openEditorRuntime(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  agentWrites: AgentWrites,
  chat: Pick<ChatViewParts, 'last' | 'reviewOf' | 'calls' | 'removed'>,
): Promise<Runtime> {
  const { createDiskFiles, createNodeHost, createRipgrep, createRuntime } =
    await import('../runtime/index.ts');
  const host = createNodeHost({ secrets: createEditorSecrets(context.secrets), log: createEditorLog(log) });
  const folders = currentFolders();
  const { isTrusted } = vscode.workspace;
  const ripgrep = await findRipgrep(vscode.env.appRoot);
  const runtime = await createRuntime({
    host,
    home: pincerHome(host.env, homedir()),
    stateFolder: stateFolder(context),
    dist: join(context.extensionPath, 'dist'),
    surface: 'vscode',
    folders,
    isTrusted,
    canAsk: true,
    attention: createAttention(context.subscriptions),
    reservedCommands: [...Object.keys(slashCommands), toolCommand],
    files: createEditorFiles(createDiskFiles(host.fs), agentWrites),
    problems: createEditorProblems(),
    ...(ripgrep === undefined ? {} : { ripgrep: createRipgrep(host.processes, ripgrep) }),
    memoryGlobs: (folder) => readFolderGlobs(vscode.Uri.file(folder)),
    gateway: { startsBy: 'config' },
    fileLink,
  });
  const update = (): void =>
    inBackground(
      runtime.workspace.update({ folders: currentFolders(), isTrusted: vscode.workspace.isTrusted }),
    );
  context.subscriptions.push(
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    watchConfig(runtime),
    servePages(runtime, { ...chat, extensionUri: context.extensionUri, log }),
    offerGateway(runtime, context.workspaceState),
    registerAccounts(runtime.models.signIns),
    createScheduleView(runtime),
    createChannelsView(runtime),
    runtime.mcp.askBy(createServerQuestions()),
    tellChanges(runtime.mcp),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (memorySettings.some((setting) => event.affectsConfiguration(setting))) runtime.memory.refresh();
    }),
  );
  // Folders and trust may have changed while it loaded.
  const isCurrent =
    vscode.workspace.isTrusted === isTrusted && currentFolders().join('\n') === folders.join('\n');
  if (!isCurrent) update();
  inBackground(runtime.schedule.start());
  inBackground(runtime.channels.start());
  return runtime;
}

/** Somebody looks at this window while it has the focus. */
function createAttention(subscriptions: vscode.ExtensionContext['subscriptions']): Attention {
  const changed: Emitter<void> = createEmitter();
  subscriptions.push(vscode.window.onDidChangeWindowState(() => changed.fire()));
  return { isWatched: () => vscode.window.state.focused, onDidChange: changed.event };
}

/** Saving a config file in this window shows at once; the next turn would find it anyway. */
function watchConfig(runtime: Runtime): vscode.Disposable {
  return vscode.workspace.onDidSaveTextDocument((document) => {
    // `fsPath` writes a drive letter in its own way, so both sides go through it.
    const files = runtime.workspace.configFiles().map((file) => vscode.Uri.file(file).fsPath);
    if (files.includes(document.uri.fsPath)) inBackground(runtime.workspace.filesChanged());
  });
}
