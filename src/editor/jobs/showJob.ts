import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { truncate } from '../../base/text.ts';
import type { Job } from '../../sandbox/job.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { withoutIcons } from './jobStatus.ts';
import { createJobTerminal } from './jobTerminal.ts';

/** `Pincer: Show Running Command`: a command that the agent has started, live in a terminal. */
export function registerShowJob(runtime: LazyRuntime): vscode.Disposable {
  const terminals = new Map<Job, vscode.Terminal>();
  return vscode.Disposable.from(
    registerCommand('pincer.jobs.show', async () => {
      const { jobs } = await runtime.get();
      const job = await pickJob(jobs.list());
      if (job === undefined) return;
      const terminal = terminals.get(job) ?? openTerminal(job);
      terminals.set(job, terminal);
      terminal.show();
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      for (const [job, terminal] of terminals) if (terminal === closed) terminals.delete(job);
    }),
  );
}

function openTerminal(job: Job): vscode.Terminal {
  return vscode.window.createTerminal({
    name: `Pincer: ${job.id}`,
    pty: createJobTerminal(job),
    iconPath: new vscode.ThemeIcon('server-process'),
    isTransient: true,
  });
}

/** Those that run first, each of them newest first. */
async function pickJob(jobs: readonly Job[]): Promise<Job | undefined> {
  const newest = [...jobs].reverse();
  const ordered = [...newest.filter(isRunning), ...newest.filter((job) => !isRunning(job))];
  if (ordered.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No command is running.'));
    return undefined;
  }
  if (ordered.length === 1) return ordered[0];
  const items = ordered.map((job) => ({
    label: withoutIcons(truncate(showHiddenLine(job.command), 120)),
    description: `${job.id} · ${stateOf(job)}`,
    detail: job.workdir,
    iconPath: new vscode.ThemeIcon(isRunning(job) ? 'sync' : 'circle-outline'),
    job,
  }));
  const title = vscode.l10n.t('Show Running Command');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.job;
}

function isRunning(job: Job): boolean {
  return job.end() === undefined;
}

function stateOf(job: Job): string {
  const end = job.end();
  if (end === undefined) return vscode.l10n.t('running');
  return end.code === undefined
    ? vscode.l10n.t('ended by {0}', end.signal ?? '?')
    : vscode.l10n.t('exit code {0}', end.code);
}
