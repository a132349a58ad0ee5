import * as vscode from 'vscode';
import { escapeMarkdown, inertLine, plural } from '../../base/text.ts';
import type { HookOrigin, OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import { hookContext } from './hookContext.ts';
import { problemsOf } from './pluginRows.ts';
import { stateIcon } from './stateIcon.ts';

/** The group of all operator hooks; it is there only where there are any. */
export function operatorHooksItem(hooks: readonly OperatorHookRecord[]): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Operator Hooks'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'operator hooks';
  const problems = problemsOf(hooks).length;
  item.description = [
    String(hooks.length),
    ...(problems === 0 ? [] : [plural(problems, vscode.l10n.t('problem'), vscode.l10n.t('problems'))]),
  ].join(' · ');
  item.tooltip = vscode.l10n.t(
    'Scripts that run when something happens: folders with a HOOK.md in the workspace and in your home folder.',
  );
  return item;
}

/** One operator hook: what it does now, and why. It unfolds to its problems and events. */
export function operatorHookItem(hook: OperatorHookRecord): vscode.TreeItem {
  const name = inertLine(hook.name, 60);
  const emoji = inertLine(hook.emoji ?? '', 8);
  const item = new vscode.TreeItem(
    emoji === '' ? name : `${emoji} ${name}`,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `hook:${hook.hookFile}`;
  item.description = hookState(hook);
  item.iconPath = stateIcon(hook, 'zap');
  item.contextValue = hookContext(hook);
  item.tooltip = hookTooltip(hook);
  item.accessibilityInformation = { label: `${name}, ${hook.status}, ${inertLine(hook.reason, 200)}` };
  return item;
}

/** The few words that fit beside the name; the tooltip has all. */
function hookState({ status, reason, needsConsent }: OperatorHookRecord): string {
  if (status !== 'loaded') return inertLine(reason, 200);
  return needsConsent === undefined
    ? vscode.l10n.t('on')
    : vscode.l10n.t('files have changed; the version you allowed still runs');
}

// Texts of a hook are untrusted: escaped, and the tooltip's markdown runs no command.
function hookTooltip(hook: OperatorHookRecord): vscode.MarkdownString {
  const shown = (text: string): string => escapeMarkdown(inertLine(text, 300));
  const lines = [
    `**${shown(hook.name)}**`,
    shown(hook.description),
    `${hook.status}: ${shown(hook.reason)}`,
    `${vscode.l10n.t('Runs on: {0}', shown(hook.events.join(', ')))} · ${originText(hook.origin)}`,
    escapeMarkdown(hook.source),
  ];
  return new vscode.MarkdownString(lines.filter((line) => line !== '').join('\n\n'));
}

function originText(origin: HookOrigin): string {
  switch (origin) {
    case 'workspace':
      return vscode.l10n.t('from this workspace');
    case 'managed':
      return vscode.l10n.t('from your home folder');
    case 'config':
      return vscode.l10n.t('from a folder that your config names');
  }
}
