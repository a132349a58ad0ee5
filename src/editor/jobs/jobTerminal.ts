import * as vscode from 'vscode';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { createDisposableStore } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { truncate } from '../../base/text.ts';
import { createTerminalFilter } from '../../sandbox/createTerminalFilter.ts';
import type { Job, JobEnd } from '../../sandbox/backgroundJob.ts';
import { createLineInput } from './createLineInput.ts';

/**
 * A terminal that shows a command of ours: it is fed by our own process, no shell stands behind it. Closing it ends nothing.
 */
export function createJobTerminal(job: Job): vscode.Pseudoterminal {
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
