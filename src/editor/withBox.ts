import * as vscode from 'vscode';
import type { Runtime } from '../runtime/index.ts';
import type { LazyRuntime } from './lazyRuntime.ts';

/** The runtime, for a command that asks something first: where it has to load, a box is there at once. */
export async function loadWithBox(runtime: LazyRuntime, title: string): Promise<Runtime> {
  return runtime.peek() ?? (await withBox(title, () => runtime.get()));
}

/** Shows a box while the next question is made ready: what is typed until then would go into the chat, a key among it. */
export async function withBox<T>(title: string, work: () => Promise<T>): Promise<T> {
  const box = vscode.window.createQuickPick();
  Object.assign(box, { title, busy: true, ignoreFocusOut: true, placeholder: vscode.l10n.t('One moment…') });
  box.show();
  try {
    return await work();
  } finally {
    box.dispose();
  }
}
