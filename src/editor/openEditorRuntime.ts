import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createEmitter, type Emitter } from '../base/event.ts';
import { pincerHome } from '../config/configPaths.ts';
import type { Attention, Secrets, Log } from '../host/ports.ts';
import type { Runtime } from '../runtime/index.ts';
import type { FileProblem, ProblemSource } from '../tools/problemSource.ts';
import type { WorkspaceFiles } from '../tools/workspaceFiles.ts';
import { createChannelsView } from './channels/channelsView.ts';
import { slashCommands, toolCommand } from './chat/slashCommands.ts';
import type { ChatViewParts } from './chatView/createChatView.ts';
import { offerGateway } from './gateway/offerGateway.ts';
import { servePages } from './gateway/servePages.ts';
import type { AgentWrites } from './host/agentWrites.ts';
import { createDocumentFiles } from './host/createDocumentFiles.ts';
import { fileLink } from './host/fileLink.ts';
import { findRipgrep } from './host/findRipgrep.ts';
import type { DocumentText, OpenDocument, OpenDocuments } from './host/openDocuments.ts';
import { planLineEdits } from './host/planLineEdits.ts';
import { createServerQuestions, tellChanges } from './mcp/createServerQuestions.ts';
import { planFolderGlobs, type FolderGlobs } from './memory/folderGlobs.ts';
import { registerAccounts } from './models/signIn.ts';
import { inBackground } from './registerCommand.ts';
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

/** Keys are kept in VS Code's secret storage, under names of our own. */
function createEditorSecrets(storage: vscode.SecretStorage): Secrets {
  return {
    get: async (name) => await storage.get(name),
    set: async (name, value) => await storage.store(name, value),
    delete: async (name) => await storage.delete(name),
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}

/** Log lines go to the Pincer output channel, which has its own level and file. */
function createEditorLog(channel: vscode.LogOutputChannel): Log {
  return { write: (level, message) => channel[level](message) };
}

/** The user is looking while this window has the focus. */
function createAttention(subscriptions: vscode.ExtensionContext['subscriptions']): Attention {
  const changed: Emitter<void> = createEmitter();
  subscriptions.push(vscode.window.onDidChangeWindowState(() => changed.fire()));
  return { isWatched: () => vscode.window.state.focused, onDidChange: changed.event };
}

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

const severityNames: Readonly<Record<vscode.DiagnosticSeverity, FileProblem['severity']>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** What the Problems panel shows, without Pincer's own entries: they are no fault of the file's text. */
function createEditorProblems(): ProblemSource {
  /** The version of each document whose problems were waited for: an unchanged text needs no second wait. */
  const seen = new WeakMap<vscode.TextDocument, number>();
  return {
    async problemsOf(path) {
      const uri = vscode.Uri.file(path);
      const document = await openDocument(uri);
      if (document === undefined) return [];
      if (seen.get(document) !== document.version) await problemsSettle(uri);
      seen.set(document, document.version);
      return vscode.languages
        .getDiagnostics(uri)
        .filter(({ source }) => source !== 'pincer')
        .map(({ severity, range, message, source }) => ({
          severity: severityNames[severity],
          line: range.start.line + 1,
          message,
          ...(source === undefined ? {} : { source }),
        }));
    },
  };
}

/** Most language services look only at documents that are open. */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/** Language services have this long for a changed text. Milliseconds. */
const maxWaitMs = 800;
/** No news for this long means that they are done. Milliseconds. */
const quietMs = 200;

async function problemsSettle(uri: vscode.Uri): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(last);
      clearTimeout(quiet);
      listening.dispose();
      resolve();
    };
    const last = setTimeout(done, maxWaitMs);
    let quiet: NodeJS.Timeout | undefined;
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((each) => each.toString() === uri.toString())) return;
      clearTimeout(quiet);
      quiet = setTimeout(done, quietMs);
    });
  });
}

/** The memory has to hear of a change of these settings. */
const memorySettings = ['pincer.memory.include', 'pincer.memory.exclude', 'files.exclude'] as const;

/** Which files of a folder the memory holds, by the settings of VS Code. */
function readFolderGlobs(folder: vscode.Uri): FolderGlobs {
  const settings = vscode.workspace.getConfiguration('pincer', folder);
  return planFolderGlobs({
    include: settings.inspect('memory.include') ?? {},
    exclude: settings.inspect('memory.exclude') ?? {},
    filesExclude: vscode.workspace.getConfiguration('files', folder).get('exclude'),
  });
}

/** Saving a config file in this window shows at once; the next turn would find it anyway. */
function watchConfig(runtime: Pick<Runtime, 'workspace'>): vscode.Disposable {
  return vscode.workspace.onDidSaveTextDocument((document) => {
    // `fsPath` writes a drive letter in its own way, so both sides go through it.
    const files = runtime.workspace.configFiles().map((file) => vscode.Uri.file(file).fsPath);
    if (files.includes(document.uri.fsPath)) inBackground(runtime.workspace.filesChanged());
  });
}
