import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { planOffer } from './planOffer.ts';

/** Keeps the ids of plugins that the user does not want to be asked about again in this workspace. */
const silencedKey = 'pincer.gatewayNotOffered';

/** Asks once per window whether to start the gateway for plugins that serve something by it. */
export function offerGateway(
  { gateway, plugins, channels, workspace }: Pick<Runtime, 'gateway' | 'plugins' | 'channels' | 'workspace'>,
  memento: vscode.Memento,
): Disposable {
  const asked = new Set<string>();
  /** Whoever has had it in this window knows how to start it. */
  let wasOn = false;
  const look = async (): Promise<void> => {
    // The config may be about to start it.
    await gateway.sync();
    wasOn ||= gateway.status().state !== 'off';
    if (wasOn || !vscode.workspace.isTrusted) return;
    const kept = memento.get<readonly string[]>(silencedKey, []);
    // A channel that is off for no reason is about to start.
    const isOn = channels.list().filter(({ state, reason }) => state !== 'off' || reason === undefined);
    const waiting = planOffer(
      plugins.plugins(),
      new Set([...asked, ...kept]),
      new Set(isOn.map(({ id }) => id)),
    );
    if (waiting.length === 0) return;
    for (const { id } of waiting) asked.add(id);
    const start = vscode.l10n.t('Start');
    const never = vscode.l10n.t("Don't Ask Again");
    const names = waiting.map(({ name }) => inertLine(name, 60)).join(', ');
    const text = vscode.l10n.t('{0} can answer other programs of this machine once the gateway runs.', names);
    const picked = await vscode.window.showInformationMessage(
      notificationText(text),
      start,
      vscode.l10n.t('Not Now'),
      never,
    );
    if (picked === start) await vscode.commands.executeCommand('pincer.gateway.start');
    if (picked === never) {
      const ids = [...memento.get<readonly string[]>(silencedKey, []), ...waiting.map(({ id }) => id)];
      await memento.update(silencedKey, [...new Set(ids)]);
    }
  };
  inBackground(look());
  return workspace.onDidChange(() => inBackground(look()));
}
