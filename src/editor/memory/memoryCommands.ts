import * as vscode from 'vscode';
import type { MemoryFile } from '../../memory/memory.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { MemoryTarget } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { forgetFile } from './forgetFile.ts';
import type { MemoryTree } from './memoryTree.ts';
import { progressText } from './memoryTexts.ts';
import { createMemoryWork } from './memoryWork.ts';
import { pickMemoryFile } from './pickMemoryFile.ts';
import { documentOf } from './sessionDocuments.ts';

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
