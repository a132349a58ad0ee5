import * as vscode from 'vscode';
import { createDisposableStore } from '../../base/disposable.ts';
import type { LiveCall } from './liveCalls.ts';

/** A terminal that shows what a call says while it runs; it takes no input, and closing it ends nothing. */
export function createCallTerminal(call: LiveCall): vscode.Pseudoterminal {
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
