import * as vscode from 'vscode';
import type { PluginNotification } from '../../dexto/builtins/createNotifications.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';

/** Shows what the plugin `notifications` tells, where the agent file asks for that (`show: true`); the log has the rest. */
export function registerPluginNotifications(runtime: LazyRuntime): vscode.Disposable {
  const attached = runtime.whenLoaded((loaded) =>
    loaded.plugins.onDidNotify(({ level, text, show }) => {
      if (show) void messageOf(level)(notificationText(text));
    }),
  );
  return vscode.Disposable.from(attached);
}

function messageOf(level: PluginNotification['level']): (text: string) => Thenable<string | undefined> {
  switch (level) {
    case 'error':
      return (text) => vscode.window.showErrorMessage(text);
    case 'warn':
      return (text) => vscode.window.showWarningMessage(text);
    default:
      return (text) => vscode.window.showInformationMessage(text);
  }
}
