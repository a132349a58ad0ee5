import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { showRendered } from '../showRendered.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import { pickSession } from '../sessions/pickSession.ts';
import { openSession } from '../sessions/openSession.ts';
import { nameOfSession } from '../sessions/sessionTexts.ts';

const scheme = 'pincer-prompt';

/**
 * `Pincer: Show Prompt`: exactly what the model got in the last turn of a session, rendered. Without a
 * session it is about the one that was used last.
 */
export function registerPrompt(runtime: LazyRuntime, last: LastUsedTracker): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const documents = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    async provideTextDocumentContent({ query }) {
      const loaded = await runtime.get();
      const session = await openSession(loaded, query);
      const { renderPromptReport } = await import('../onDemand.ts');
      return renderPromptReport(await loaded.conversations.prompt(session), vscode.env.language);
    },
  });
  const command = registerCommand('pincer.prompt.show', async (target) => {
    const loaded = await runtime.get();
    const named = target?.sessionId ?? last.get()?.sessionId;
    const id = named ?? (await pickSession(await loaded.conversations.summaries(), pickTitle()))?.id;
    if (id === undefined) return;
    const session = await openSession(loaded, id);
    const path = `/${vscode.l10n.t('Prompt of {0}', fileName(nameOfSession(session, 40)))}.md`;
    const uri = vscode.Uri.from({ scheme, path, query: id });
    // It may be open since an earlier turn.
    changed.fire(uri);
    // What somebody else wrote stands in code blocks there.
    await showRendered(uri);
  });
  return vscode.Disposable.from(changed, documents, command);
}

function pickTitle(): string {
  return vscode.l10n.t('Show the prompt of which session?');
}

/** A tab's title is the end of a path. */
function fileName(title: string): string {
  return title.replace(/[/\\]/gu, ' ');
}
