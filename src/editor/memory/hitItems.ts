import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { citationOf, type MemoryAnswer, type MemoryHit } from '../../memory/memory.ts';
import { glimpseOf } from './glimpseOf.ts';
import { progressText, vectorNote } from './memoryTexts.ts';

/** An entry of the search; without a hit it only says something. */
export interface HitItem extends vscode.QuickPickItem {
  readonly hit?: MemoryHit;
}

export const whyButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('question'),
  tooltip: vscode.l10n.t('Why this hit (Alt+Enter)'),
};
export const forgetButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('eye-closed'),
  tooltip: vscode.l10n.t('Forget this file (Alt+Delete)'),
};

/** The hits in their order, or that there are none. */
export function hitItems({ hits, indexing }: MemoryAnswer, query: string): readonly HitItem[] {
  if (hits.length > 0) return hits.map((hit) => hitItem(hit, query));
  const text = vscode.l10n.t('Nothing found for “{0}”', noIcons(inertLine(query, 80)));
  const hint =
    indexing === undefined
      ? vscode.l10n.t('Other words may help. The Memory view says what is indexed.')
      : vscode.l10n.t('Not all is indexed yet: {0}.', progressText(indexing));
  return [noteItem(text, hint)];
}

/** Headings, or the name where there are none; the citation and the day; what it says. */
function hitItem(hit: MemoryHit, query: string): HitItem {
  const headings = hit.headings.map((each) => inertLine(each, 80)).join(' › ');
  const name =
    hit.source === 'sessions'
      ? vscode.l10n.t('Session of {0}', hit.date)
      : hit.label.slice(hit.label.lastIndexOf('/') + 1);
  return {
    hit,
    label: noIcons(inertLine(headings === '' ? name : headings, 160)),
    description: noIcons(inertLine(`${citationOf(hit)} · ${hit.date}`, 200)),
    detail: noIcons(glimpseOf(hit.text, query, 180)),
    alwaysShow: true,
    buttons: [whyButton, forgetButton],
  };
}

/** A line that can't be chosen. */
export function noteItem(label: string, detail: string): HitItem {
  return { label: `$(info) ${label}`, detail, alwaysShow: true };
}

/** What stands beside the title: that not all is there, or that meanings are not compared. */
export function answerNote({ indexing, vector }: MemoryAnswer): string | undefined {
  if (indexing !== undefined) return progressText(indexing);
  return vector.state === 'failing' ? vectorNote(vector) : undefined;
}

/** `$(name)` in a file would show as an icon. */
export function noIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
