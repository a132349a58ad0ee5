import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine } from '../../base/text.ts';
import { remoteFile } from '../../gateway/chatPage/remoteFile.ts';
import type { PageServer, PairingRequest } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import { createChatView, type ChatViewParts } from '../chatView/createChatView.ts';
import type { CommandId } from '../commandTable.ts';
import { notificationText } from '../notificationText.ts';

/** Serves the Chat view's page to browsers that the user lets in (docs/gateway.md, A second screen). */
export function servePages(
  runtime: Runtime,
  parts: Pick<ChatViewParts, 'last' | 'reviewOf' | 'calls' | 'removed' | 'extensionUri' | 'log'>,
  waiting: Map<string, () => void>,
): Disposable {
  const server: PageServer = {
    file: (path) =>
      remoteFile(path, {
        dist: join(parts.extensionUri.fsPath, 'dist'),
        language: vscode.env.language,
        l10n: vscode.l10n,
        readText: (file) => readFile(file, 'utf8'),
      }),
    pair: (request, signal) => pair(request, signal, waiting),
    open(port) {
      const view = createChatView({ ...parts, runtime, isRemote: true, state: createMemory() });
      view.attachPage(port);
      return view;
    },
  };
  return runtime.gateway.servePages(server);
}

// Threat: what a browser calls itself would become a link that runs a command; `notificationText` takes those apart.
/**
 * Whoever allows a browser has compared what it shows with what stands here. A notification that can be closed: it goes when the browser
 * leaves, its time is over or the gateway stops.
 */
async function pair(
  { code, name }: PairingRequest,
  signal: AbortSignal,
  waiting: Map<string, () => void>,
): Promise<boolean> {
  const letIn = `command:${'pincer.gateway.letIn' satisfies CommandId}?${encodeURIComponent(JSON.stringify([code]))}`;
  const text = vscode.l10n.t(
    'A browser that should show the code {0} wants to use Pincer. Allow it only if yours shows the same: it can then talk to the agent and answer approvals until the gateway stops. It calls itself {1}.',
    code,
    inertLine(name, 80),
  );
  const title = `${notificationText(text)} [${vscode.l10n.t('Allow Once')}](${letIn}) · ${vscode.l10n.t('Cancel denies it.')}`;
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_, token) =>
      await new Promise<boolean>((resolve) => {
        const end = (isAllowed: boolean): void => {
          waiting.delete(code);
          resolve(isAllowed && !signal.aborted);
        };
        waiting.set(code, () => end(true));
        token.onCancellationRequested(() => end(false));
        signal.addEventListener('abort', () => end(false), { once: true });
        if (signal.aborted) end(false);
      }),
  );
}

/** What a page shows is remembered for as long as it is open. */
function createMemory(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown): never => (values.get(key) ?? fallback) as never,
    async update(key, value) {
      await Promise.resolve(values.set(key, value));
    },
  };
}
