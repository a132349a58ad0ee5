import * as vscode from 'vscode';
import type { MemoryHit } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';

/** What was said in a session, as the memory holds it: the lines that a hit names are of this text, not of the transcript. */
const scheme = 'pincer-session';

/** Shows sessions that the memory has indexed as documents that nobody can change. */
export function registerSessionDocuments(runtime: LazyRuntime): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent(uri) {
      const { memory } = await runtime.get();
      const text = await memory.readSession(uri.path.slice(1).replace(/\.md$/u, '.jsonl'));
      return text ?? vscode.l10n.t('This session is no longer in the memory.');
    },
  });
}

/** What shows the lines of a hit or a file of the memory. */
export function documentOf({
  source,
  path,
  label,
}: Pick<MemoryHit, 'source' | 'path' | 'label'>): vscode.Uri {
  // What is shown are words, not JSON.
  const said = `/${label.replace(/\.jsonl$/u, '.md')}`;
  return source === 'memory' ? vscode.Uri.file(path) : vscode.Uri.from({ scheme, path: said });
}
