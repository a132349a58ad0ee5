import * as vscode from 'vscode';
import { isRecord, parseJson } from '../../base/json.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';

const scheme = 'pincer-summary';

/** Shows what stands for the older part of a conversation as a document that nobody can change. */
export function registerSummaryDocuments(runtime: LazyRuntime): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const named = parseJson(query);
      const gone = vscode.l10n.t('This summary is not there any more.');
      if (!isRecord(named) || typeof named['sessionId'] !== 'string') return gone;
      const session = await (await runtime.get()).conversations.sessions.open(named['sessionId']);
      const entry = session?.entries().find(({ id }) => id === named['entryId']);
      return entry?.type === 'compaction' ? entry.summary : gone;
    },
  });
}

/** Opens the summary of one compaction beside the chat. */
export async function showSummary(sessionId: string, entryId: string): Promise<void> {
  const path = `/${vscode.l10n.t('Summary of the conversation')}.md`;
  const uri = vscode.Uri.from({ scheme, path, query: JSON.stringify({ sessionId, entryId }) });
  await vscode.window.showTextDocument(uri, { preview: true });
}
