import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginAsks } from '../../plugins/pluginTypes.ts';
import { shownNames } from './shownNames.ts';

/** What a plugin was allowed before, what its code starts and brings, and what of it was not read; nothing where there is nothing to say. */
export function codeLines(asks: PluginAsks | undefined): readonly string[] {
  if (asks === undefined) return [];
  const { more = [], programs, packages, natives, linkedTo, unread } = asks;
  return [
    ...(more.length === 0 ? [] : [vscode.l10n.t('And what you allowed before: {0}', shownNames(more))]),
    ...(programs.length === 0 ? [] : [vscode.l10n.t('Programs: {0}', shownNames(programs))]),
    ...(packages.length === 0 ? [] : [vscode.l10n.t('Packages: {0}', shownNames(packages))]),
    ...(natives.length === 0
      ? []
      : [vscode.l10n.t('Native add-ons, which do not load: {0}', shownNames(natives))]),
    ...(linkedTo === undefined
      ? []
      : [vscode.l10n.t('Its folder is a link to {0}', inertLine(linkedTo, 200))]),
    ...(unread.includes('much')
      ? [vscode.l10n.t('There is more code than was read. This list may be incomplete.')]
      : []),
    ...(unread.includes('computed')
      ? [vscode.l10n.t("It has code or loaders that this list can't follow. This list may be incomplete.")]
      : []),
  ];
}

/** Slash commands by their names, and what else the code registers by its kind; nothing where there is nothing to say. */
export function registeredLines(asks: PluginAsks | undefined): readonly string[] {
  if (asks === undefined) return [];
  const { commands, registers } = asks;
  // Commands that are named need no word that there are some.
  const others = commands.length === 0 ? registers : registers.filter((kind) => kind !== 'command');
  return [
    ...(commands.length === 0
      ? []
      : [vscode.l10n.t('Slash commands: {0}', shownNames(commands.map((name) => `/${name}`)))]),
    ...(others.length === 0 ? [] : [vscode.l10n.t('Also registers: {0}', shownNames(others))]),
  ];
}
