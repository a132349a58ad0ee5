import * as vscode from 'vscode';
import { isRecord, parseJson } from '../../base/json.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { showRendered } from '../showRendered.ts';

const scheme = 'pincer-step';

/** `pincer.runs.showCall`: a step of an answer as a rendered document that nobody can change: parameters, who judged it, result. */
export function registerCallDocuments(runtime: LazyRuntime): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('pincer.runs.showCall', async (target) => {
      if (target === undefined) return;
      const { nameCall } = await import('../onDemand.ts');
      const name = (await nameCall(await runtime.get(), target)) ?? vscode.l10n.t('Tool call');
      const uri = vscode.Uri.from({
        scheme,
        path: `/${name}.md`,
        query: JSON.stringify(target),
      });
      // What a tool or a model wrote stands in code blocks there.
      await showRendered(uri, { preview: true });
    }),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      async provideTextDocumentContent({ query }) {
        const named = parseJson(query);
        const { readCall } = await import('../onDemand.ts');
        const text = isRecord(named) ? await readCall(await runtime.get(), named) : undefined;
        return text ?? vscode.l10n.t('This call is no longer stored.');
      },
    }),
  );
}
