import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import { clickGuardLeft } from '../../approvals/clickGuard.ts';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine } from '../../base/text.ts';
import { remoteFile } from '../../gateway/chatPage/remoteFile.ts';
import { shortBrowser, type PageServer, type PairingRequest } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import { createChatView, type ChatViewParts } from '../chatView/createChatView.ts';
import { notificationText } from '../notificationText.ts';
import { showStatusBarNotice } from '../approvals/statusBarNotice.ts';
import { tell } from '../registerCommand.ts';

/** Serves the Chat view's page to browsers that the user lets in (docs/gateway.md, A second screen). */
export function servePages(
  runtime: Runtime,
  parts: Pick<ChatViewParts, 'last' | 'reviewOf' | 'calls' | 'removed' | 'extensionUri' | 'log'>,
): Disposable {
  const server: PageServer = {
    file: (path) =>
      remoteFile(path, {
        dist: join(parts.extensionUri.fsPath, 'dist'),
        language: vscode.env.language,
        l10n: vscode.l10n,
        readText: (file) => readFile(file, 'utf8'),
      }),
    pair: (request, signal) => pair(runtime.approvals, request, signal),
    open(port) {
      const view = createChatView({ ...parts, runtime, isRemote: true, state: createMemory() });
      view.attachPage(port);
      return view;
    },
  };
  return runtime.gateway.servePages(server);
}

// Threat: a yes that was meant for something else. So a yes counts only once the notification has stood for a moment, and not after the
// browser left, its time was over or the gateway stopped. What a browser calls itself makes no link: `notificationText` takes those apart.
/** Whoever allows a browser has compared the code that it shows with the one that stands here. */
async function pair(
  approvals: Pick<ApprovalBroker, 'pending'>,
  { code, name }: PairingRequest,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
  const text = vscode.l10n.t(
    'Code {0}: does your browser show the same? Then let it use Pincer: it can talk to the agent and answer approvals until the gateway stops or you revoke its access. It calls itself {1}.',
    code,
    inertLine(shortBrowser(name), 80),
  );
  const [allow, deny] = [vscode.l10n.t('Allow Once'), vscode.l10n.t('Deny')];
  const shownAt = performance.now();
  const ask = async (): Promise<boolean> => {
    const choice = await vscode.window.showWarningMessage(notificationText(text), allow, deny);
    if (choice !== allow) return false;
    if (signal.aborted)
      tell(vscode.l10n.t('That browser is no longer waiting. Reload its page to ask again.'));
    const early = clickGuardLeft(shownAt, performance.now());
    // VS Code shows no toast of one that comes back too often.
    if (early > 0) await delay(early);
    if (signal.aborted) return false;
    return early === 0 || (await ask());
  };
  let takeBack = (): void => undefined;
  const isGone = new Promise<boolean>((resolve) => {
    takeBack = () => {
      sayGone(approvals, code);
      resolve(false);
    };
    signal.addEventListener('abort', takeBack, { once: true });
  });
  try {
    return await Promise.race([ask(), isGone]);
  } finally {
    signal.removeEventListener('abort', takeBack);
  }
}

/** A toast can't be taken back through the API, only be folded into the bell: with all others, so not while the toast of an approval may stand there. */
function sayGone(approvals: Pick<ApprovalBroker, 'pending'>, code: string): void {
  if (approvals.pending().length === 0) void vscode.commands.executeCommand('notifications.hideToasts');
  showStatusBarNotice(
    vscode.l10n.t('The browser with the code {0} is no longer waiting. It was not given access.', code),
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
