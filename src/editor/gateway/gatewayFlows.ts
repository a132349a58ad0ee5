import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import { tell } from '../registerCommand.ts';

type Gateway = Runtime['gateway'];

/** What the gateway's commands do, by the end of their ids. */
export const gatewayFlows = { start, stop, copyToken } as const;

/** @throws PincerError why it does not run */
async function start(gateway: Gateway): Promise<void> {
  const status = await gateway.start();
  if (status.state === 'failed') throw status.error;
  const port = status.state === 'running' || status.state === 'elsewhere' ? status.port : undefined;
  if (port === undefined) {
    tell(vscode.l10n.t('Another window of this workspace starts the gateway.'));
    return;
  }
  const address = `http://127.0.0.1:${String(port)}`;
  const copyAddress = vscode.l10n.t('Copy Address');
  const copyTheToken = vscode.l10n.t('Copy Token');
  const text =
    status.state === 'running'
      ? vscode.l10n.t('The gateway runs on {0}.', address)
      : vscode.l10n.t('Another window of this workspace serves the gateway on {0}.', address);
  void vscode.window.showInformationMessage(text, copyAddress, copyTheToken).then(async (picked) => {
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
  tell(vscode.l10n.t('The token is in the clipboard. Whoever has it can use your agent.'));
}
