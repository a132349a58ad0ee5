import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { AgentWrites } from '../host/agentWrites.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground } from '../registerCommand.ts';
import { watchFiles } from '../watchFiles.ts';

/** Changes that come together, such as those of a checkout, count as one. Milliseconds. */
const debounceMs = 150;

const pluginFolders = ['.pincer/plugins', '.openclaw/extensions'];
const agentFiles = '.pincer/agent.{yml,yaml}';

// Threat: the agent writes into a plugin that the user has allowed to run. A save by hand may renew the user's consent,
// so what the agent writes must never count as one: not through an open document, whose save looks the same,
// and not into a file that the user has saved a moment before.
/**
 * Says which plugin files the user has saved by hand, and has what changes shown soon. A turn looks for itself and asks for the
 * saves, so that the next message is answered by what was saved before it. Before the runtime is loaded there is nothing to swap.
 */
export function registerPluginFiles(runtime: LazyRuntime, agentWrites: AgentWrites): Disposable {
  return runtime.whenLoaded((loaded) => follow(loaded, agentWrites));
}

function follow(
  runtime: Pick<Runtime, 'turns' | 'workspace' | 'plugins'>,
  agentWrites: AgentWrites,
): Disposable {
  /** What the user saved by hand, with its text. */
  const saved = new Map<string, string>();
  let isWaiting = false;
  /** For whoever looks first: the timer, or a turn that begins before it. */
  const takeSaved = async (): Promise<readonly string[]> => {
    timer.stop();
    const files = [...saved];
    saved.clear();
    const found = await Promise.all(
      files.map(async ([path, text]) => ((await holds(path, text)) ? [path] : [])),
    );
    return found.flat();
  };
  const flush = (): void => {
    // While a turn runs nothing is swapped, and the agent may still write to these files: they are looked at afterwards.
    isWaiting = runtime.turns.running() > 0;
    if (!isWaiting) inBackground(runtime.workspace.filesChanged());
  };
  const timer = createTimer(debounceMs, flush);
  const note = timer.restart;
  const patterns = [...pluginFolders.map((folder) => `**/${folder}/**`), `**/${agentFiles}`];
  const elsewhere = createFolderWatchers(note);
  const watchElsewhere = (): void => elsewhere.watch(foldersElsewhere(runtime));
  watchElsewhere();
  const isMeant = (uri: vscode.Uri): boolean =>
    isPluginFile(uri) || (uri.scheme === 'file' && runtime.plugins.dexto.watches(uri.fsPath));
  return vscode.Disposable.from(
    elsewhere,
    runtime.workspace.followSaves(takeSaved),
    runtime.workspace.onDidChange(() => {
      watchElsewhere();
      if (isWaiting && runtime.turns.running() === 0) note();
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      const { uri } = document;
      if (!isMeant(uri) || agentWrites.has(uri.fsPath)) return;
      saved.set(uri.fsPath, document.getText());
      note();
    }),
    agentWrites.onDidWrite((paths) => {
      if (paths.some((path) => isMeant(vscode.Uri.file(path)))) note();
    }),
    ...patterns.map((pattern) => watchFiles(pattern, note)),
    timer,
  );
}

/** Whether the file still is what was saved. One in another encoding is not recognised: then the user is asked. */
async function holds(path: string, text: string): Promise<boolean> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/^\uFEFF/u, '') === text;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}

/**
 * Of plugins of the home folder, and of those of the agent file, which names modules wherever they lie. A module that lies in the
 * workspace's own folder is one file: a save of it is heard anyway, and the whole workspace is too much to watch.
 */
function foldersElsewhere(runtime: Pick<Runtime, 'workspace' | 'plugins'>): readonly string[] {
  const workspace = runtime.workspace.folders();
  const own = runtime.plugins
    .plugins()
    .filter(({ dexto, origin }) => (dexto === undefined ? origin === 'global' : !dexto.isBuiltIn));
  return [...new Set(own.map(({ rootDir }) => rootDir))].filter((folder) => !workspace.includes(folder));
}

function isPluginFile(uri: vscode.Uri): boolean {
  const folder = uri.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  if (folder === undefined) return false;
  return pluginFolders.some((each) => uri.path.startsWith(`${folder.uri.path}/${each}/`));
}

/** Watches folders that come and go. */
interface FolderWatchers extends Disposable {
  /** From now on these folders are watched, absolute paths, and no others. */
  watch(folders: readonly string[]): void;
}

/** `changed` is called for every change of a file below a folder that is watched. */
function createFolderWatchers(changed: () => void): FolderWatchers {
  const watchers = new Map<string, vscode.Disposable>();
  return {
    watch(folders) {
      for (const [folder, watcher] of [...watchers]) {
        if (folders.includes(folder)) continue;
        watcher.dispose();
        watchers.delete(folder);
      }
      for (const folder of folders) {
        if (!watchers.has(folder))
          watchers.set(
            folder,
            watchFiles(new vscode.RelativePattern(vscode.Uri.file(folder), '**'), changed),
          );
      }
    },
    dispose() {
      vscode.Disposable.from(...watchers.values()).dispose();
      watchers.clear();
    },
  };
}
