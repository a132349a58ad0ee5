import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { AddressesRow, AddressRow } from './addressRows.ts';

/** `Addresses  2 · gateway off`. */
export function addressesItem({ addresses, state, base, reason }: AddressesRow): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Addresses'), vscode.TreeItemCollapsibleState.Collapsed);
  item.description = `${String(addresses.length)} · ${base ?? stateText(state)}`;
  item.iconPath = new vscode.ThemeIcon('globe');
  item.contextValue = `addresses.${state}`;
  item.tooltip =
    state === 'on'
      ? vscode.l10n.t('What the gateway serves of this plugin.')
      : inertLine(reason ?? vscode.l10n.t('They are served while the gateway runs: Start Gateway.'), 300);
  return item;
}

/** `/callback  http://127.0.0.1:18789/callback`; where nothing serves it, why. */
export function addressItem({
  path,
  route,
  match,
  address,
  stands,
  needsToken,
}: AddressRow): vscode.TreeItem {
  const below = match === 'prefix' && route === 'http route';
  const label = route === 'http handler' ? vscode.l10n.t('any other path') : inertLine(path, 120);
  const item = new vscode.TreeItem(below ? `${label.replace(/\/$/u, '')}/…` : label);
  const isOn = stands === 'on' && address !== undefined;
  const token = needsToken ? [vscode.l10n.t('with the token')] : [];
  item.description = isOn
    ? [inertLine(address, 300), ...token].join(' · ')
    : vscode.l10n.t('registered, not served: {0}', stateText(stands));
  item.iconPath = new vscode.ThemeIcon(isOn ? (needsToken ? 'lock' : 'link') : 'circle-slash');
  item.contextValue = `address.${isOn ? (needsToken ? 'token' : 'open') : stands}`;
  item.tooltip = [
    ...(isOn ? [inertLine(address, 300)] : []),
    ...(below ? [vscode.l10n.t('It serves what lies below this path, too.')] : []),
    needsToken
      ? vscode.l10n.t("Callers need the gateway's token, which no browser sends: Copy Gateway Token.")
      : vscode.l10n.t('Anybody on this machine may call it; the plugin checks who does.'),
  ].join('\n');
  return item;
}

function stateText(stands: AddressRow['stands']): string {
  switch (stands) {
    case 'off':
      return vscode.l10n.t('gateway off');
    case 'starting':
      return vscode.l10n.t('gateway starts');
    case 'failed':
      return vscode.l10n.t('gateway failed');
    case 'refused':
      return vscode.l10n.t('refused');
    case 'on':
      return vscode.l10n.t('gateway on');
  }
}
