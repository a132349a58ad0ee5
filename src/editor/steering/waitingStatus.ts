import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { setContextKey } from '../setContextKey.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { waitingText } from '../sessions/sessionTexts.ts';

/** Messages whose text the hover shows. */
const maxShown = 8;

/** `2 waiting` beside Pincer's own item while messages wait, whether a turn runs or not; and what the keybindings go by. */
export function registerWaitingStatus(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.waiting', vscode.StatusBarAlignment.Right, 89);
  item.name = vscode.l10n.t('Pincer: Waiting Messages');
  item.command = 'pincer.waiting.show';
  let runs: boolean | undefined;
  const show = ({ conversations }: Runtime): void => {
    const isRunning = conversations.runningTurns().length > 0;
    if (isRunning !== runs) setContextKey('pincer.turnRunning', isRunning);
    runs = isRunning;
    const messages = conversations.inbox.sessions().flatMap((id) => conversations.inbox.list(id));
    if (messages.length === 0) {
      item.hide();
      return;
    }
    const count = vscode.l10n.t('{0} waiting', messages.length);
    item.text = `$(inbox) ${count}`;
    item.tooltip = messages
      .slice(0, maxShown)
      .map((message) => `${inertLine(message.text, 80)} (${waitingText(message)})`)
      .join('\n');
    item.accessibilityInformation = {
      label: vscode.l10n.t('Messages waiting for Pincer: {0}', messages.length),
    };
    item.show();
  };
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => show(loaded);
    refresh();
    return vscode.Disposable.from(
      loaded.conversations.onDidChange(refresh),
      loaded.workspace.onDidChange(refresh),
    );
  });
  return vscode.Disposable.from(item, attached);
}
