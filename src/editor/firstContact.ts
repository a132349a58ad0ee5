import * as vscode from 'vscode';
import { errorMessage } from '../base/errors.ts';
import type { CommandId } from './commandTable.ts';
import { readSetting } from './readSetting.ts';

/** In the global state once the chat was opened: no window of this machine does it again. */
const openedKey = 'pincer.chatOpened';

/**
 * Opens the chat with `@pincer` typed, once on this machine: a first message without it never reaches us. The chat takes the focus,
 * so it stays closed where somebody may be typing; then the next window that starts tries again.
 */
export async function openChatOnce(memento: vscode.Memento, log: vscode.LogOutputChannel): Promise<void> {
  if (memento.get(openedKey) === true || !readSetting('chat.openOnFirstStart') || mayBeTyping()) return;
  try {
    // First, so that no second window that starts now does the same.
    await memento.update(openedKey, true);
    await vscode.commands.executeCommand('pincer.chat.open' satisfies CommandId);
  } catch (error) {
    log.warn(`The chat could not be opened for the first time: ${errorMessage(error)}`);
  }
}

function mayBeTyping(): boolean {
  const { activeTextEditor, activeNotebookEditor, activeTerminal, state } = vscode.window;
  return (
    !state.focused ||
    activeTextEditor !== undefined ||
    activeNotebookEditor !== undefined ||
    activeTerminal !== undefined
  );
}
