import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { truncate } from '../../base/text.ts';
import type { Jobs } from '../../sandbox/createJobs.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';

/** A command that ends sooner is not worth an item that comes and goes. Milliseconds. */
const grace = 700;
const maxName = 30;

/** What runs stands in the status bar; a click opens its output. */
export function registerJobStatus(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.jobs', vscode.StatusBarAlignment.Right, 88);
  item.name = vscode.l10n.t('Pincer: Running Commands');
  item.command = 'pincer.jobs.show';
  const attached = runtime.whenLoaded(({ jobs }) => {
    let timer: NodeJS.Timeout | undefined;
    const update = (): void => {
      clearTimeout(timer);
      if (runningOf(jobs).length === 0) item.hide();
      else timer = setTimeout(() => show(item, jobs), grace);
    };
    return vscode.Disposable.from(jobs.onDidChange(update), { dispose: () => clearTimeout(timer) });
  });
  return vscode.Disposable.from(item, attached);
}

function show(item: vscode.StatusBarItem, jobs: Jobs): void {
  const commands = runningOf(jobs).map(({ command }) => showHiddenLine(command));
  const [only = '', ...others] = commands;
  const name =
    others.length === 0
      ? withoutIcons(truncate(only, maxName))
      : vscode.l10n.t('{0} commands', commands.length);
  item.text = `$(terminal) ${name}`;
  item.tooltip = [vscode.l10n.t('Runs now; a click shows its output'), ...commands].join('\n');
  item.accessibilityInformation = { label: vscode.l10n.t('Pincer runs {0}', name) };
  item.show();
}

function runningOf(jobs: Jobs): ReturnType<Jobs['list']> {
  return jobs.list().filter((job) => job.end() === undefined);
}

/** `$(name)` would be drawn as an icon: in a command it is a substitution. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\((?=[\w-]+(?:~[\w-]+)?\))/gu, '\\$(');
}
