import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { formatCount } from '../../base/formatNumbers.ts';
import type { SyncReport } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { filesText, passagesText } from './memoryTexts.ts';

/** Indexing that the user asks for or stops. */
interface MemoryWork {
  /** Looks at all files; says how it went where nothing else does. */
  sync(options: { readonly rebuild: boolean }): Promise<void>;
  /** Stops what is being done, whoever began it. */
  cancel(): void;
}

/** How long a message stands in the status bar. Milliseconds. */
const messageMs = 6_000;

export function createMemoryWork(runtime: LazyRuntime): MemoryWork {
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
      'Memory: {0} added, {1} changed, {2} removed, {3} in all',
      filesText(added),
      formatCount(changed, vscode.env.language),
      formatCount(removed, vscode.env.language),
      passagesText(passages),
    ) + left
  );
}
