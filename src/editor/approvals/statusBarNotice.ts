import * as vscode from 'vscode';
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';

/** How long such a word stays in the status bar. Milliseconds. */
const saidMs = 8_000;

/** A word about a click that changed nothing. */
export function showStatusBarNotice(text: string): void {
  vscode.window.setStatusBarMessage(shown(text), saidMs);
}

/** The same about questions: once none of them waits any more, the word is no longer true and goes. */
export function showNoticeWhileAsked(
  approvals: Pick<ApprovalBroker, 'pending' | 'onDidChange'>,
  ids: readonly string[],
  text: string,
): void {
  const said = vscode.window.setStatusBarMessage(shown(text));
  const end = (): void => {
    clearTimeout(time);
    heard.dispose();
    said.dispose();
  };
  const time = setTimeout(end, saidMs);
  const heard = approvals.onDidChange(() => {
    if (!approvals.pending().some(({ id }) => ids.includes(id))) end();
  });
}

function shown(text: string): string {
  return `$(info) ${text}`;
}
