import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { truncate } from '../../base/text.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { Jobs } from '../../sandbox/createJobs.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { LiveCalls } from './liveCalls.ts';

/** What ends sooner is not worth an item that comes and goes. Milliseconds. */
const grace = 700;
const maxName = 30;

/** What runs stands in the status bar, a call by what it said last; a click opens its output. */
export function registerJobStatus(runtime: LazyRuntime, calls: LiveCalls): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.jobs', vscode.StatusBarAlignment.Right, 88);
  item.name = vscode.l10n.t('Pincer: Running Commands');
  item.command = 'pincer.jobs.show';
  const attached = runtime.whenLoaded(({ tools: { jobs } }) => {
    let isShown = false;
    const timer = createTimer(grace, () => {
      isShown = true;
      show(item, runningOf(jobs, calls));
    });
    const update = (): void => {
      const running = runningOf(jobs, calls);
      if (running.length > 0) {
        if (isShown) show(item, running);
        else timer.start();
        return;
      }
      timer.stop();
      isShown = false;
      item.hide();
    };
    return vscode.Disposable.from(jobs.onDidChange(update), calls.onDidChange(update), timer);
  });
  return vscode.Disposable.from(item, attached);
}

/** What stands for something that runs: in the narrow item, and in the hover. */
interface Running {
  readonly short: string;
  readonly whole: string;
}

function show(item: vscode.StatusBarItem, running: readonly Running[]): void {
  const [only, ...others] = running;
  if (only === undefined) return;
  const name =
    others.length === 0
      ? withoutIcons(truncate(only.short, maxName))
      : vscode.l10n.t('{0} running', running.length);
  item.text = `$(terminal) ${name}`;
  item.tooltip = [
    vscode.l10n.t('Running now. Click to show the output.'),
    ...running.map(({ whole }) => whole),
  ].join('\n');
  item.accessibilityInformation = { label: vscode.l10n.t('Pincer runs {0}', name) };
  item.show();
}

function runningOf(jobs: Jobs, calls: LiveCalls): readonly Running[] {
  const commands = jobs
    .list()
    .filter((job) => job.end() === undefined)
    .map(({ command }) => showHiddenLine(command));
  return [
    ...commands.map((command) => ({ short: command, whole: command })),
    ...calls.list().map((call) => {
      const said = call.lines().at(-1) ?? '';
      return { short: said, whole: `${call.label}: ${said}` };
    }),
  ];
}

/** `$(name)` would be drawn as an icon: in a command it is a substitution. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\((?=[\w-]+(?:~[\w-]+)?\))/gu, '\\$(');
}
