import * as vscode from 'vscode';

/** The Plugins view shows a bar while `work` loads or stops plugins and hooks. */
export async function showLoading<T>(work: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: { viewId: 'pincer.plugins' } }, work);
}
