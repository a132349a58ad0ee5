import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { truncate } from '../../base/text.ts';
import type { Job } from '../../sandbox/job.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { createCallTerminal } from './callTerminal.ts';
import { withoutIcons } from './jobStatus.ts';
import { createJobTerminal } from './jobTerminal.ts';
import type { LiveCall, LiveCalls } from './liveCalls.ts';

/** A command that the agent has started, or a call that says how far it is: what a terminal can show. */
interface Shown {
  readonly of: Job | LiveCall;
  readonly isRunning: boolean;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  /** What its terminal is called, after `Pincer: `. */
  readonly name: string;
  openPty(): vscode.Pseudoterminal;
}

/**
 * `Pincer: Show Running Command`: what runs, live in a terminal; where several do, a list. `Pincer: List Commands…` has those that have
 * ended, too.
 */
export function registerShowJob(runtime: LazyRuntime, calls: LiveCalls): vscode.Disposable {
  const terminals = new Map<Shown['of'], vscode.Terminal>();
  const all = async (): Promise<readonly Shown[]> => [
    ...calls.list().map(shownCall),
    ...(await runtime.get()).jobs.list().map(shownJob),
  ];
  const open = (shown: Shown | undefined): void => {
    if (shown === undefined) return;
    const terminal = terminals.get(shown.of) ?? openTerminal(shown);
    terminals.set(shown.of, terminal);
    terminal.show();
  };
  return vscode.Disposable.from(
    registerCommand('pincer.jobs.show', async (target) => {
      const shown = await all();
      const named = target && shown.find(({ of }) => 'id' in of && of.id === target.jobId);
      if (named !== undefined) {
        open(named);
        return;
      }
      const running = shown.filter(({ isRunning }) => isRunning);
      open(await pick(running.length === 0 ? shown : running));
    }),
    registerCommand('pincer.jobs.list', async () => open(await pick(await all(), 'always'))),
    vscode.window.onDidCloseTerminal((closed) => {
      for (const [of, terminal] of terminals) if (terminal === closed) terminals.delete(of);
    }),
  );
}

function openTerminal(shown: Shown): vscode.Terminal {
  return vscode.window.createTerminal({
    name: `Pincer: ${shown.name}`,
    pty: shown.openPty(),
    iconPath: new vscode.ThemeIcon('server-process'),
    isTransient: true,
  });
}

/** Those that run first, each of them newest first. One alone is not asked about, unless the list is what was wanted. */
async function pick(
  shown: readonly Shown[],
  asks: 'always' | 'several' = 'several',
): Promise<Shown | undefined> {
  const newest = [...shown].reverse();
  const ordered = [...newest.filter((each) => each.isRunning), ...newest.filter((each) => !each.isRunning)];
  if (ordered.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No command runs, or has run.'));
    return undefined;
  }
  if (ordered.length === 1 && asks === 'several') return ordered[0];
  const items = ordered.map((each) => ({
    label: each.label,
    description: each.description,
    ...(each.detail === undefined ? {} : { detail: each.detail }),
    iconPath: new vscode.ThemeIcon(each.isRunning ? 'sync' : 'circle-outline'),
    each,
  }));
  const title = vscode.l10n.t('Show the output of which command?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.each;
}

function shownJob(job: Job): Shown {
  return {
    of: job,
    isRunning: job.end() === undefined,
    label: withoutIcons(truncate(showHiddenLine(job.command), 120)),
    description: `${job.id} · ${stateOf(job)}`,
    detail: job.workdir,
    name: job.id,
    openPty: () => createJobTerminal(job),
  };
}

function shownCall(call: LiveCall): Shown {
  return {
    of: call,
    isRunning: call.isRunning(),
    label: withoutIcons(call.label),
    description: vscode.l10n.t('running'),
    detail: withoutIcons(call.lines().at(-1) ?? ''),
    name: call.label,
    openPty: () => createCallTerminal(call),
  };
}

function stateOf(job: Job): string {
  const end = job.end();
  if (end === undefined) return vscode.l10n.t('running');
  return end.code === undefined
    ? vscode.l10n.t('ended by {0}', end.signal ?? '?')
    : vscode.l10n.t('exit code {0}', end.code);
}
