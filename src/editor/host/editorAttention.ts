import * as vscode from 'vscode';
import { createEmitter, type Emitter } from '../../base/event.ts';
import type { Attention } from '../../host/ports.ts';

/** Somebody looks at this window while it has the focus. */
export function createEditorAttention(subscriptions: vscode.ExtensionContext['subscriptions']): Attention {
  const changed: Emitter<void> = createEmitter();
  subscriptions.push(vscode.window.onDidChangeWindowState(() => changed.fire()));
  return { isWatched: () => vscode.window.state.focused, onDidChange: changed.event };
}
