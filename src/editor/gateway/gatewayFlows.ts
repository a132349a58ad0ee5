import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import { mcpClientSetup } from '../../gateway/gatewayToken.ts';
import { shortBrowser } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { AddressTarget } from '../commandTable.ts';
import { noIcons } from '../memory/hitItems.ts';
import { tell } from '../registerCommand.ts';
import { agoText } from '../sessions/sessionTexts.ts';
import { requestsText } from './requestsText.ts';

type Gateway = Runtime['gateway'];

/** What the gateway's commands do, by the end of their ids. */
export interface GatewayFlows {
  /** @throws PincerError why it does not run */
  readonly start: (gateway: Gateway) => Promise<void>;
  readonly stop: (gateway: Gateway) => Promise<void>;
  readonly copyToken: (gateway: Gateway) => Promise<void>;
  /** @throws PincerError `mcp_not_served`, `gateway_not_running` */
  readonly copyMcpSetup: (gateway: Gateway) => Promise<void>;
  readonly revokeMcpToken: (gateway: Gateway) => Promise<void>;
  readonly revokeBrowser: (gateway: Gateway) => Promise<void>;
  readonly copyAddress: (gateway: Gateway, target: AddressTarget) => Promise<void>;
  readonly openAddress: (gateway: Gateway, target: AddressTarget) => Promise<void>;
  readonly showRequests: (gateway: Gateway) => Promise<void>;
}

/** `subscriptions` gets what lives as long as the window. */
export function createGatewayFlows(subscriptions: { dispose(): unknown }[]): GatewayFlows {
  let documents: RequestDocument | undefined;
  return {
    start,
    stop,
    copyToken,
    copyMcpSetup,
    revokeMcpToken,
    revokeBrowser,
    async copyAddress(_, target) {
      if (target?.address === undefined) return;
      await vscode.env.clipboard.writeText(target.address);
      vscode.window.setStatusBarMessage(vscode.l10n.t('The address was copied to the clipboard.'), saidMs);
    },
    async openAddress(_, target) {
      if (target?.address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(target.address));
    },
    async showRequests(gateway) {
      if (documents === undefined) {
        documents = createRequestDocument(gateway);
        subscriptions.push(documents);
      }
      await documents.show();
    },
  };
}

/** How long the status bar says what was done. Milliseconds. */
const saidMs = 5_000;

async function start(gateway: Gateway): Promise<void> {
  const status = await gateway.start();
  if (status.state === 'failed') throw status.error;
  const port = status.state === 'running' || status.state === 'elsewhere' ? status.port : undefined;
  if (port === undefined) {
    tell(vscode.l10n.t('Another window of this workspace starts the gateway.'));
    return;
  }
  const address = `http://127.0.0.1:${String(port)}`;
  const openPage = vscode.l10n.t('Open Page');
  const copyAddress = vscode.l10n.t('Copy Address');
  const copyTheToken = vscode.l10n.t('Copy Token');
  const text =
    status.state === 'running'
      ? vscode.l10n.t('The gateway runs on {0}. Its page is a second screen for the chat.', address)
      : vscode.l10n.t('Another window of this workspace serves the gateway on {0}.', address);
  void vscode.window
    .showInformationMessage(text, openPage, copyAddress, copyTheToken)
    .then(async (picked) => {
      if (picked === openPage) await vscode.env.openExternal(vscode.Uri.parse(address));
      if (picked === copyAddress) await vscode.env.clipboard.writeText(address);
      if (picked === copyTheToken) await copyToken(gateway);
    });
}

async function stop(gateway: Gateway): Promise<void> {
  const wasElsewhere = gateway.status().state === 'elsewhere';
  await gateway.stop();
  tell(
    wasElsewhere
      ? vscode.l10n.t('The gateway runs in another window of this workspace: stop it there.')
      : vscode.l10n.t('The gateway is off.'),
  );
}

async function copyToken(gateway: Gateway): Promise<void> {
  await vscode.env.clipboard.writeText(await gateway.token());
  tell(vscode.l10n.t('The token was copied to the clipboard. Anyone who has it can use your agent.'));
}

/** What an MCP client wants to be told, in the form that most of them read: the address, and the token that is good for it alone. */
async function copyMcpSetup(gateway: Gateway): Promise<void> {
  if (!gateway.mcp.isServed())
    throw new PincerError('mcp_not_served', vscode.l10n.t('Nothing is served to MCP clients.'), {
      hint: vscode.l10n.t('Set "mcp": { "serve": { "http": true } } in your own config.'),
    });
  const status = gateway.status();
  const port = status.state === 'running' || status.state === 'elsewhere' ? status.port : undefined;
  if (port === undefined)
    throw new PincerError('gateway_not_running', vscode.l10n.t('The gateway does not run.'), {
      hint: vscode.l10n.t('Start it with Pincer: Start Gateway.'),
    });
  await vscode.env.clipboard.writeText(mcpClientSetup(port, await gateway.mcp.token()));
  tell(
    vscode.l10n.t(
      'The setup of an MCP client was copied to the clipboard. Anyone who has its token can call the tools that Pincer serves, and nothing else.',
    ),
  );
}

async function revokeMcpToken(gateway: Gateway): Promise<void> {
  await gateway.mcp.revoke();
  tell(
    vscode.l10n.t(
      'MCP clients can no longer use the gateway. Pincer: Copy MCP Client Setup makes a new token.',
    ),
  );
}

/** The browsers that were let in, and when; the one that is picked is let in no more. */
async function revokeBrowser(gateway: Gateway): Promise<void> {
  const { browsers } = gateway;
  if (gateway.status().state === 'elsewhere') {
    tell(vscode.l10n.t('The gateway runs in another window of this workspace: look there.'));
    return;
  }
  const items = browsers.list().map(({ id, name, pairedAt, isConnected }) => ({
    id,
    label: noIcons(inertLine(shortBrowser(name), 80)),
    description: [
      vscode.l10n.t('allowed {0}', agoText(pairedAt, Date.now())),
      ...(isConnected ? [vscode.l10n.t('connected')] : []),
    ].join(' · '),
  }));
  if (items.length === 0) {
    tell(vscode.l10n.t('No browser has access.'));
    return;
  }
  const title = vscode.l10n.t('Which browser should lose access?');
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) return;
  browsers.revoke(picked.id);
  tell(vscode.l10n.t('{0} no longer has access.', picked.label));
}

interface RequestDocument {
  readonly show: () => Promise<void>;
  readonly dispose: () => void;
}

/** The request log as a document that nobody can change, and that goes on while it is open. */
function createRequestDocument(gateway: Gateway): RequestDocument {
  const uri = vscode.Uri.from({ scheme: 'pincer-gateway', path: '/Gateway Requests' });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const parts = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(uri.scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: () => logText(gateway),
    }),
    gateway.onDidAnswer(() => changed.fire(uri)),
    gateway.onDidChange(() => changed.fire(uri)),
  );
  return {
    async show() {
      changed.fire(uri);
      await vscode.window.showTextDocument(uri, { preview: true });
    },
    dispose: () => void parts.dispose(),
  };
}

function logText(gateway: Gateway): string {
  const requests = gateway.requests();
  if (gateway.status().state === 'elsewhere')
    return `${vscode.l10n.t('Another window of this workspace serves the gateway: look there.')}\n`;
  if (requests.length === 0) return `${vscode.l10n.t('The gateway has had no requests yet.')}\n`;
  const heads = [
    vscode.l10n.t('Time'),
    vscode.l10n.t('Method'),
    vscode.l10n.t('Path'),
    vscode.l10n.t('Status'),
    'ms',
  ] as const;
  return requestsText(requests, heads, (at) => new Date(at).toLocaleTimeString(vscode.env.language));
}
