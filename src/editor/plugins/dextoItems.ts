import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { ExecutionProfile } from '../../plugins/pluginTypes.ts';
import { describeNotice, describePoint, fineMs, type DextoRow } from './dextoRows.ts';
import { formatMs } from './pluginRows.ts';

type PointRow = Extract<DextoRow, { kind: 'point' }>;

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

function pointItem({ plugin, listing, point }: PointRow): vscode.TreeItem {
  const item = new vscode.TreeItem(point.point);
  item.id = `${plugin.origin}:${plugin.source}:${plugin.id}:${point.point}`;
  item.description = describePoint(listing, point);
  item.iconPath = new vscode.ThemeIcon('zap');
  return item;
}

/** What is said of a point when the mouse rests on it, with the numbers of `profile`: those of now, whenever the row was drawn. */
export function pointTooltip({ listing, point }: PointRow, profile: ExecutionProfile | undefined): string {
  const done = profile?.points.find((each) => each.point === point.point);
  return [
    vscode.l10n.t('Dexto plugin {0} of {1} at {2}.', point.position, point.of, point.point),
    point.band === 'after OpenClaw'
      ? vscode.l10n.t('It runs after the OpenClaw plugins.')
      : vscode.l10n.t('It runs before the OpenClaw plugins.'),
    vscode.l10n.t('Lower priorities run first; this one has {0}.', listing.priority),
    listing.blocking
      ? vscode.l10n.t('It can stop the turn or the call. If it fails, that is stopped, too.')
      : vscode.l10n.t('It can change things, but stop nothing.'),
    vscode.l10n.t('It times out after {0}.', formatMs(listing.timeoutMs)),
    ...(done === undefined || done.calls === 0 ? [vscode.l10n.t('Not called yet.')] : countLines(done)),
  ].join('\n');
}

function countLines({
  calls,
  p50,
  p95,
  max,
  ...counts
}: ExecutionProfile['points'][number]): readonly string[] {
  return [
    vscode.l10n.t(
      'Calls: {0}. Changed: {1}. Blocked: {2}. Failed: {3}. Timed out: {4}.',
      calls,
      counts.changed,
      counts.blocked,
      counts.failed,
      counts.timedOut,
    ),
    vscode.l10n.t('Median {0}, 95th percentile {1}, maximum {2}.', fineMs(p50), fineMs(p95), fineMs(max)),
  ];
}

function failureItem(failure: Extract<DextoRow, { kind: 'failure' }>['failure']): vscode.TreeItem {
  const message = inertLine(failure.message, 300);
  const item = new vscode.TreeItem(vscode.l10n.t('Failed at {0}: {1}', failure.point, message));
  item.description = new Date(failure.at).toLocaleTimeString();
  item.iconPath = new vscode.ThemeIcon('warning', warning);
  item.tooltip = message;
  return item;
}
