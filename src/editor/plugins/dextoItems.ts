import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { describeNotice, describePoint, fineMs, type DextoRow } from './dextoRows.ts';
import { formatMs } from './pluginRows.ts';

const warning = new vscode.ThemeColor('list.warningForeground');

/** A row below a Dexto plugin, as the tree shows it. */
export function dextoItem(row: DextoRow): vscode.TreeItem {
  switch (row.kind) {
    case 'point':
      return pointItem(row);
    case 'failure':
      return failureItem(row.failure);
    case 'notices': {
      const item = new vscode.TreeItem(vscode.l10n.t('Notices'), vscode.TreeItemCollapsibleState.Collapsed);
      item.id = `${row.plugin.origin}:${row.plugin.source}:${row.plugin.id}:notices`;
      item.description = String(row.notices.length);
      item.iconPath = new vscode.ThemeIcon('megaphone');
      return item;
    }
    case 'notice': {
      const item = new vscode.TreeItem(describeNotice(row.notice));
      item.description = row.notice.point;
      item.iconPath = new vscode.ThemeIcon(noticeIcons[row.notice.kind]);
      item.tooltip = `${describeNotice(row.notice)}\n${new Date(row.notice.at).toLocaleTimeString()}`;
      return item;
    }
  }
}

const noticeIcons = { allow: 'pass', block: 'error', warn: 'warning', info: 'info' } as const;

function pointItem({ plugin, listing, point }: Extract<DextoRow, { kind: 'point' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(point.point);
  item.id = `${plugin.origin}:${plugin.source}:${plugin.id}:${point.point}`;
  item.description = describePoint(listing, point);
  item.iconPath = new vscode.ThemeIcon('zap');
  const profile = listing.profile?.points.find((each) => each.point === point.point);
  item.tooltip = [
    vscode.l10n.t('Dexto plugin {0} of {1} at {2}.', point.position, point.of, point.point),
    point.band === 'after OpenClaw'
      ? vscode.l10n.t('It is asked after the OpenClaw plugins.')
      : vscode.l10n.t('It is asked before the OpenClaw plugins.'),
    vscode.l10n.t('Lower priorities are asked first; this one has {0}.', listing.priority),
    listing.blocking
      ? vscode.l10n.t('It can stop the turn or the call; so does its failure.')
      : vscode.l10n.t('It can change things, but stops nothing.'),
    vscode.l10n.t('It is given up after {0}.', formatMs(listing.timeoutMs)),
    ...(profile === undefined || profile.calls === 0
      ? []
      : [
          vscode.l10n.t(
            'Half of its {0} calls took up to {1}, 95% up to {2}, the longest {3}.',
            profile.calls,
            fineMs(profile.p50),
            fineMs(profile.p95),
            fineMs(profile.max),
          ),
        ]),
  ].join('\n');
  return item;
}

function failureItem(failure: Extract<DextoRow, { kind: 'failure' }>['failure']): vscode.TreeItem {
  const message = inertLine(failure.message, 300);
  const item = new vscode.TreeItem(vscode.l10n.t('Failed at {0}: {1}', failure.point, message));
  item.description = new Date(failure.at).toLocaleTimeString();
  item.iconPath = new vscode.ThemeIcon('warning', warning);
  item.tooltip = message;
  return item;
}
