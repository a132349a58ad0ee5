import * as vscode from 'vscode';
import { formatBytes } from '../../base/formatNumbers.ts';
import { inertLine } from '../../base/text.ts';
import type { MemoryFile, MemoryStatus } from '../../memory/memory.ts';
import { problemItem } from '../plugins/problemItem.ts';
import { documentOf } from './sessionDocuments.ts';
import { fileContext, type FileRow, type FolderRow, type GroupRow, type MemoryRow } from './memoryRows.ts';
import { fileText, filesText, passagesText, stateTexts, timeText, vectorTexts } from './memoryTexts.ts';

/** Names come from files that anybody may have written: a line without hidden characters. */
const inert = (text: string): string => inertLine(text, 300);

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

const warning = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

/** `status` is the newest, also for rows that were planned before it; there are rows without one. */
export function toMemoryItem(row: MemoryRow, status: MemoryStatus | undefined): vscode.TreeItem {
  switch (row.kind) {
    case 'state':
      return status === undefined ? new vscode.TreeItem('') : stateItem(status);
    case 'vector':
      return status === undefined ? new vscode.TreeItem('') : vectorItem(status);
    case 'problem':
      return problemItem(row.diagnostic);
    case 'folder':
      return folderItem(row);
    case 'group':
      return groupItem(row);
    case 'file':
      return fileItem(row);
  }
}

function stateItem(status: MemoryStatus): vscode.TreeItem {
  const { label, description, details } = stateTexts(status);
  const item = new vscode.TreeItem(label);
  item.id = 'state';
  item.description = description;
  item.tooltip = [`${label}, ${description}`, ...details].join('\n');
  item.iconPath = new vscode.ThemeIcon(status.progress === undefined ? 'database' : 'sync~spin');
  item.contextValue = status.progress === undefined ? 'state' : 'state.busy';
  item.accessibilityInformation = { label: vscode.l10n.t('Memory: {0}, {1}', label, description) };
  return item;
}

function vectorItem({ vector }: MemoryStatus): vscode.TreeItem {
  const { label, description } = vectorTexts(vector);
  const item = new vscode.TreeItem(label);
  item.id = 'vector';
  item.description = description;
  item.tooltip = description === '' ? label : `${label}\n${description}`;
  item.iconPath =
    vector.state === 'failing'
      ? warning
      : new vscode.ThemeIcon(vector.state === 'on' ? 'symbol-misc' : 'symbol-text');
  item.accessibilityInformation = { label: description === '' ? label : `${label}, ${description}` };
  return item;
}

function folderItem(row: FolderRow): vscode.TreeItem {
  const item = new vscode.TreeItem(inert(row.label), row.isOpen ? Expanded : Collapsed);
  item.id = `folder:${row.key}`;
  item.description = filesText(row.files);
  item.tooltip = `${inert(row.key)}\n${passagesText(row.passages)}`;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.contextValue = 'folder';
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Folder {0}, {1}, {2}',
      inert(row.label),
      filesText(row.files),
      passagesText(row.passages),
    ),
  };
  return item;
}

function groupItem({ group, children }: GroupRow): vscode.TreeItem {
  const { label, tooltip, icon } = groupTexts(group);
  const item = new vscode.TreeItem(label, Collapsed);
  item.id = `group:${group}`;
  item.description = String(children.length);
  item.tooltip = tooltip;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.accessibilityInformation = { label: `${label}, ${filesText(children.length)}` };
  return item;
}

function groupTexts(group: GroupRow['group']): { label: string; tooltip: string; icon: string } {
  switch (group) {
    case 'sessions':
      return {
        label: vscode.l10n.t('Sessions'),
        tooltip: vscode.l10n.t('What was said in earlier sessions.'),
        icon: 'comment-discussion',
      };
    case 'left-out':
      return {
        label: vscode.l10n.t('Left out'),
        tooltip: vscode.l10n.t("Files that can't be indexed, each with the reason."),
        icon: 'circle-slash',
      };
    case 'forgotten':
      return {
        label: vscode.l10n.t('Forgotten'),
        tooltip: vscode.l10n.t(
          'Files that you removed from the memory. They stay out until you choose Remember File Again.',
        ),
        icon: 'eye-closed',
      };
  }
}

function fileItem({ name, file }: FileRow): vscode.TreeItem {
  const label = file.source === 'sessions' ? timeText(file.modified) : inert(name);
  const item = new vscode.TreeItem(label, None);
  item.id = `file:${file.path}`;
  item.description = fileText(file);
  item.tooltip = [
    inert(file.label),
    fileText(file),
    vscode.l10n.t(
      '{0}, last changed {1}',
      formatBytes(file.bytes, vscode.env.language),
      timeText(file.modified),
    ),
  ].join('\n');
  item.iconPath = iconOf(file);
  // The file's own icon and Git colours; for sessions there is none.
  if (file.source === 'memory') item.resourceUri = vscode.Uri.file(file.path);
  item.contextValue = fileContext(file);
  // VS Code's own command: a click shows a preview and leaves the focus in the tree, as in the explorer.
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open File'),
    arguments: [documentOf(file)],
  };
  item.accessibilityInformation = {
    label: `${label}, ${inert(file.label)}, ${stateWord(file)}, ${fileText(file)}`,
  };
  return item;
}

function iconOf({ state, source }: MemoryFile): vscode.ThemeIcon {
  switch (state) {
    case 'indexed':
      return source === 'memory' ? vscode.ThemeIcon.File : new vscode.ThemeIcon('comment');
    case 'stale':
      return new vscode.ThemeIcon('history');
    case 'left-out':
      return warning;
    case 'forgotten':
      return new vscode.ThemeIcon('eye-closed');
  }
}

function stateWord({ state }: MemoryFile): string {
  switch (state) {
    case 'indexed':
      return vscode.l10n.t('indexed');
    case 'stale':
      return vscode.l10n.t('changed');
    case 'left-out':
      return vscode.l10n.t('left out');
    case 'forgotten':
      return vscode.l10n.t('forgotten');
  }
}
