import * as vscode from 'vscode';
import type { MemoryFile, SyncReport } from '../../memory/memory.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { MemoryTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { forgetFile } from './forgetFile.ts';
import type { MemoryTree } from './memoryTree.ts';
import { progressText, filesText, passagesText } from './memoryTexts.ts';
import { pickMemoryFile } from './pickMemoryFile.ts';
import { documentOf } from './sessionDocuments.ts';
import { PincerError } from '../../base/errors.ts';
import { formatCount } from '../../base/formatNumbers.ts';

/** How long a message stands in the status bar. Milliseconds. */
const messageMs = 6_000;

const isHeld = ({ state }: MemoryFile): boolean => state === 'indexed' || state === 'stale';
const isForgotten = ({ state }: MemoryFile): boolean => state === 'forgotten';
const isExcludable = (file: MemoryFile): boolean => file.source === 'memory' && !isForgotten(file);

/** What can be done with the memory and its files, from the view, by keys and from the palette. */
export function registerMemoryCommands(runtime: LazyRuntime, tree: MemoryTree): vscode.Disposable {
  const work = createMemoryWork(runtime);
  const withFile =
    (
      title: string,
      fits: (file: MemoryFile) => boolean,
      run: (file: MemoryFile, loaded: Runtime, target: MemoryTarget) => unknown,
    ) =>
    async (target: MemoryTarget): Promise<void> => {
      const loaded = await runtime.get();
      const file = await pickMemoryFile(loaded, tree, target, { title, fits });
      if (file !== undefined) await run(file, loaded, target);
    };
  return vscode.Disposable.from(
    registerCommand('pincer.memory.sync', () => work.sync({ rebuild: false })),
    registerCommand('pincer.memory.rebuild', () => work.sync({ rebuild: true })),
    registerCommand('pincer.memory.cancel', () => work.cancel()),
    registerCommand('pincer.memory.showProgress', () => showProgress(runtime.peek())),
    registerCommand(
      'pincer.memory.openFile',
      withFile(vscode.l10n.t('Open a file of the memory'), () => true, openFile),
    ),
    registerCommand('pincer.memory.forget', withFile(vscode.l10n.t('Forget a file'), isHeld, forgetFile)),
    registerCommand(
      'pincer.memory.remember',
      withFile(vscode.l10n.t('Remember a file again'), isForgotten, (file, { memory }) =>
        memory.remember(file.path),
      ),
    ),
    registerCommand(
      'pincer.memory.exclude',
      withFile(vscode.l10n.t('Exclude from memory'), isExcludable, async (file) => {
        const { excludeFile } = await import('../onDemand.ts');
        await excludeFile(file);
      }),
    ),
    registerCommand(
      'pincer.memory.copyPath',
      withFile(
        vscode.l10n.t('Copy the path of a file'),
        () => true,
        (file) => vscode.env.clipboard.writeText(file.path),
      ),
    ),
  );
}

/** `line` is 1-based. */
async function openFile(file: MemoryFile, _: Runtime, target: MemoryTarget): Promise<void> {
  const line = typeof target === 'object' ? target.line : undefined;
  const at = Math.max(0, (line ?? 1) - 1);
  const options = line === undefined ? {} : { selection: new vscode.Range(at, 0, at, 0) };
  await vscode.window.showTextDocument(documentOf(file), options);
}

/** A click on the progress in the status bar. */
async function showProgress(runtime: Runtime | undefined): Promise<void> {
  const progress = runtime?.memory.progress();
  const picked = await vscode.window.showQuickPick(
    [
      ...(progress === undefined
        ? []
        : [{ label: vscode.l10n.t('$(debug-stop) Cancel indexing'), command: 'pincer.memory.cancel' }]),
      { label: vscode.l10n.t('$(list-tree) Show the Memory view'), command: 'pincer.memory.focus' },
      { label: vscode.l10n.t('$(search) Search memory'), command: 'pincer.memory.search' },
    ],
    {
      title: vscode.l10n.t('Memory'),
      placeHolder:
        progress === undefined
          ? vscode.l10n.t('Nothing is being indexed')
          : vscode.l10n.t('Now: {0}. Searches work meanwhile.', progressText(progress)),
    },
  );
  if (picked !== undefined) await vscode.commands.executeCommand(picked.command);
}

/** Indexing that the user asks for or stops. */
interface MemoryWork {
  /** Looks at all files; says how it went where nothing else does. */
  sync(options: { readonly rebuild: boolean }): Promise<void>;
  /** Stops what is being done, whoever began it. */
  cancel(): void;
}

function createMemoryWork(runtime: LazyRuntime): MemoryWork {
  let running = 0;
  const say = (text: string): void => void vscode.window.setStatusBarMessage(text, messageMs);

  return {
    async sync({ rebuild }) {
      const { memory } = await runtime.get();
      running += 1;
      const title = vscode.l10n.t('Indexing');
      const location = { viewId: 'pincer.memory' };
      try {
        const report = await vscode.window.withProgress({ location, title }, () => memory.sync({ rebuild }));
        say(reportText(report));
      } catch (error) {
        if (!(error instanceof PincerError && error.code === 'cancelled')) throw error;
      } finally {
        running -= 1;
      }
    },
    cancel() {
      const memory = runtime.peek()?.memory;
      if (memory?.progress() === undefined && running === 0) {
        say(vscode.l10n.t('The memory is not indexing anything.'));
        return;
      }
      memory?.cancel();
      say(vscode.l10n.t('Indexing stopped. What is indexed can be searched; Reindex Memory goes on.'));
    },
  };
}

/** `Memory: 3 files added, 1 changed, 0 removed`. */
function reportText({ added, changed, removed, leftOut, passages }: SyncReport): string {
  if (added + changed + removed === 0) return vscode.l10n.t('Memory: up to date');
  const left =
    leftOut === 0 ? '' : `, ${vscode.l10n.t('{0} left out', formatCount(leftOut, vscode.env.language))}`;
  return (
    vscode.l10n.t(
      'Memory: {0} added, {1} changed, {2} removed, {3} in total',
      filesText(added),
      formatCount(changed, vscode.env.language),
      formatCount(removed, vscode.env.language),
      passagesText(passages),
    ) + left
  );
}
