import * as vscode from 'vscode';
import { clickGuardLeft } from '../../approvals/clickGuard.ts';
import { inertLine } from '../../base/text.ts';
import type { Inspection } from '../../mcp/mcpServers.ts';
import { planToolChoices, type ToolChoice } from './toolChoices.ts';

/** What a person does with the list: says which tools agents get, or goes on later, after a look at definitions or something else. */
type ToolsAnswer =
  | { readonly kind: 'chosen'; readonly names: readonly string[] }
  /** Of one tool, or of all. */
  | { readonly kind: 'look'; readonly tool: string | undefined; readonly ticked: readonly string[] }
  /** By Escape or by another box that came in its place: the editor does not tell which, so it says nothing about the tools. */
  | { readonly kind: 'left'; readonly ticked: readonly string[] };

interface ToolItem extends vscode.QuickPickItem {
  readonly name: string;
}

interface ToolsQuestion {
  /** What was ticked when the list was left; absent, it is the first look. */
  readonly ticked?: readonly string[];
  /** Tools that were left out before, are chosen now, and stand behind the list. */
  readonly again?: readonly string[];
  /** Ends the list as if it had been left. */
  readonly signal: AbortSignal;
}

/** A list with a tick for each tool. */
export async function chooseTools(
  seen: Inspection,
  { ticked, again = [], signal }: ToolsQuestion,
): Promise<ToolsAnswer> {
  const lookAtOne = { iconPath: new vscode.ThemeIcon('eye'), tooltip: vscode.l10n.t('Show Definition') };
  const lookAtAll = {
    iconPath: new vscode.ThemeIcon('book'),
    tooltip: vscode.l10n.t('Show All Definitions'),
  };
  const choices = planToolChoices(seen);
  const items = choices.map((choice): ToolItem => ({ ...itemOf(choice), buttons: [lookAtOne] }));
  const picker = vscode.window.createQuickPick<ToolItem>();
  picker.title = vscode.l10n.t('Tools of {0}', seen.name);
  picker.placeholder =
    again.length === 0
      ? vscode.l10n.t('Select the tools that agents may use. Each call asks you.')
      : vscode.l10n.t(
          'You had left out {0}. Look at it, then press OK again.',
          inertLine(again.join(', '), 80),
        );
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = true;
  picker.buttons = [lookAtAll];
  picker.items = items;
  picker.selectedItems = items.filter(
    ({ name }, at) => ticked?.includes(name) ?? choices[at]?.isTicked === true,
  );
  const tickedNow = (): readonly string[] => picker.selectedItems.map(({ name }) => name);
  try {
    return await new Promise<ToolsAnswer>((resolve) => {
      const leave = (): void => resolve({ kind: 'left', ticked: tickedNow() });
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) {
        leave();
        return;
      }
      const look = (tool?: string): void => resolve({ kind: 'look', tool, ticked: tickedNow() });
      const shownAt = performance.now();
      picker.onDidAccept(() => {
        if (clickGuardLeft(shownAt, performance.now()) > 0) return;
        resolve({ kind: 'chosen', names: tickedNow() });
      });
      picker.onDidTriggerItemButton(({ item }) => look(item.name));
      picker.onDidTriggerButton(() => look());
      picker.onDidHide(leave);
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function itemOf({ name, mark, description, warnings }: ToolChoice): ToolItem {
  const literal = (text: string, max: number): string => inertLine(text, max).replaceAll('$(', '$ (');
  const warning = warnings.map((each) => `$(warning) ${literal(each, 160)}`).join(' ');
  return {
    name,
    label: literal(name, 80),
    description: markText(mark),
    detail: [warning, literal(description, 310)].filter((part) => part !== '').join(' '),
  };
}

function markText(mark: ToolChoice['mark']): string {
  switch (mark) {
    case 'changed':
      return vscode.l10n.t('$(diff) changed since you agreed');
    case 'new':
      return vscode.l10n.t('$(sparkle) new');
    case 'left out':
      return vscode.l10n.t('left out by you');
    case 'long':
      return vscode.l10n.t('$(eye) long: look at it');
    case 'first':
    case 'same':
      return '';
  }
}
