import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { createDisposableStore } from '../../base/disposable.ts';
import { truncate } from '../../base/text.ts';
import type { Job } from '../../sandbox/backgroundJob.ts';
import { withoutIcons } from './jobStatus.ts';
import { createJobTerminal } from './jobTerminal.ts';
import type { LiveCall } from './liveCalls.ts';

/** A command that the agent has started, or a call that says how far it is: what a terminal can show. */
export interface ShownCommand {
  readonly of: Job | LiveCall;
  readonly isRunning: boolean;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  /** What its terminal is called, after `Pincer: `. */
  readonly name: string;
  openPty(): vscode.Pseudoterminal;
}

export function openTerminal(shown: ShownCommand): vscode.Terminal {
  return vscode.window.createTerminal({
    name: `Pincer: ${shown.name}`,
    pty: shown.openPty(),
    iconPath: new vscode.ThemeIcon('server-process'),
    isTransient: true,
  });
}

/** Those that run first, each of them newest first. One alone is not asked about, unless the list is what was wanted. */
export async function pickCommand(
  shown: readonly ShownCommand[],
  asks: 'always' | 'several' = 'several',
): Promise<ShownCommand | undefined> {
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

export function shownJob(job: Job): ShownCommand {
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

export function shownCall(call: LiveCall): ShownCommand {
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

/** A terminal that shows what a call says while it runs; it takes no input, and closing it ends nothing. */
function createCallTerminal(call: LiveCall): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const store = createDisposableStore();
  const note = (text: string): void => written.fire(`\u001B[2m${text}\u001B[0m\r\n`);
  return {
    onDidWrite: written.event,
    open() {
      written.fire(`\u001B[1m${call.label}\u001B[0m\r\n`);
      for (const line of call.lines()) written.fire(`${line}\r\n`);
      const tellEnd = (): void => note(vscode.l10n.t('It has ended: its step in the chat has the result.'));
      if (!call.isRunning()) tellEnd();
      store.add(call.onLine((line) => written.fire(`${line}\r\n`)));
      store.add(call.onEnd(tellEnd));
    },
    close() {
      store.dispose();
      written.dispose();
    },
  };
}

function stateOf(job: Job): string {
  const end = job.end();
  if (end === undefined) return vscode.l10n.t('running');
  return end.code === undefined
    ? vscode.l10n.t('ended by {0}', end.signal ?? '?')
    : vscode.l10n.t('exit code {0}', end.code);
}
