import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { createDisposableStore } from '../../base/disposable.ts';
import { truncate } from '../../base/text.ts';
import type { Job, JobEnd } from '../../sandbox/backgroundJob.ts';
import { withoutIcons } from './jobStatus.ts';
import type { LiveCall } from './liveCalls.ts';
import { errorMessage } from '../../base/errors.ts';
import { createTerminalFilter } from '../../sandbox/createTerminalFilter.ts';
import { createLineInput } from './createLineInput.ts';

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
    void vscode.window.showInformationMessage(vscode.l10n.t('No command has run yet.'));
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

/**
 * A terminal that shows a command of ours: it is fed by our own process, no shell stands behind it. Closing it ends nothing.
 */
function createJobTerminal(job: Job): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const store = createDisposableStore();
  const type = createLineInput();
  let wasInterrupted = false;
  const note = (text: string): void => written.fire(`\r\n\u001B[2m${text}\u001B[0m\r\n`);

  /** The first Ctrl+C asks the command, the second ends it. */
  const interrupt = (): void => {
    if (wasInterrupted) {
      void job.stop();
      return;
    }
    wasInterrupted = true;
    job.interrupt();
    note(vscode.l10n.t('Asked to stop. Press Ctrl+C again to end it.'));
  };
  const send = async (lines: readonly string[], ends: boolean): Promise<void> => {
    try {
      for (const line of lines) await job.write(`${line}\n`);
      if (ends) job.endInput();
    } catch (error) {
      note(errorMessage(error));
    }
  };

  return {
    onDidWrite: written.event,
    open() {
      const show = createTerminalFilter();
      written.fire(`\u001B[1m${truncate(showHiddenLine(job.command), 2_000)}\u001B[0m\r\n`);
      note(job.takesInput ? takesInputText() : readOnlyText());
      written.fire(show(job.rawOutput()));
      store.add(job.onOutput((piece) => written.fire(show(piece))));
      void job.ended.then((end) => note(endText(end)));
    },
    handleInput(data) {
      if (job.end() !== undefined) return;
      const { echo, lines, interrupts, ends } = type(data);
      if (job.takesInput) written.fire(echo);
      if (interrupts) interrupt();
      else if (job.takesInput) void send(lines, ends);
    },
    close() {
      store.dispose();
      written.dispose();
    },
  };
}

function takesInputText(): string {
  return vscode.l10n.t(
    'What you type goes to the command, line by line. Ctrl+C asks it to stop.\r\nClosing this terminal does not end it.',
  );
}

function readOnlyText(): string {
  return vscode.l10n.t(
    'The command takes no input. Ctrl+C asks it to stop.\r\nClosing this terminal does not end it.',
  );
}

function endText(end: JobEnd): string {
  if (end.cause === 'timeout') return vscode.l10n.t('Timed out.');
  if (end.code !== undefined) return vscode.l10n.t('Ended with exit code {0}.', end.code);
  return vscode.l10n.t('Ended by {0}.', end.signal ?? '?');
}
