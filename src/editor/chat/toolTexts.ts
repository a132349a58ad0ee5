import * as vscode from 'vscode';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { ToolCatalog } from '../../tools/catalog.ts';
import { describeOwner, ownerId } from '../../tools/describeOwner.ts';
import { describeVerdict } from '../../tools/policy/describeVerdict.ts';
import type { ToolExplanation } from '../../tools/policy/explainTool.ts';
import { rowsUnder } from './rowsUnder.ts';

/** `/tools`: what the agent has, what is hidden and what is wrong, as markdown. */
export function listTools(catalog: ToolCatalog): string {
  const rows = catalog.tools().map((tool) => {
    const owner = tool.owner.kind === 'core' ? '' : ` (${escapeMarkdown(ownerId(tool.owner))})`;
    return `- ${asCode(tool.name)}${owner}: ${escapeMarkdown(firstSentence(tool.description))}`;
  });
  const hidden = catalog.hidden().map((each) => `- ${asCode(each.name)}: ${escapeMarkdown(each.reason)}`);
  const problems = catalog.diagnostics().map((each) => `- ${escapeMarkdown(describeDiagnostic(each))}`);
  return [
    ...rowsUnder(vscode.l10n.t('Tools ({0})', rows.length), rows),
    ...rowsUnder(vscode.l10n.t('Hidden'), hidden),
    ...rowsUnder(vscode.l10n.t('Problems'), problems),
    ...(hidden.length === 0 ? [] : [vscode.l10n.t('`/tools NAME` says what decides about one of them.')]),
  ].join('\n\n');
}

/** `/tools NAME`: whether the agent has it, and what each layer of the policy says. */
export function explainTools(catalog: ToolCatalog, name: string): string {
  const found = catalog.explain(name);
  if (found.length > 0) return found.map(explanation).join('\n\n');
  const names = [...catalog.tools(), ...catalog.hidden()].map((tool) => tool.name);
  const nearest = nearestFirst(name, names).slice(0, 3).map(asCode).join(', ');
  const unknown = vscode.l10n.t('There is no tool “{0}”.', escapeMarkdown(inertLine(name, 80)));
  return nearest === '' ? unknown : `${unknown} ${vscode.l10n.t('Did you mean {0}?', nearest)}`;
}

function explanation({ tool, hidden, layers }: ToolExplanation): string {
  const state =
    hidden === undefined
      ? vscode.l10n.t('The agent has it.')
      : vscode.l10n.t('Hidden: {0}.', escapeMarkdown(hidden.reason));
  const rows = layers.map(
    (layer) => `- ${escapeMarkdown(layer.label)}: ${escapeMarkdown(describeVerdict(layer))}`,
  );
  return [
    `**${asCode(tool.name)}** (${escapeMarkdown(describeOwner(tool.owner))}): ${state}`,
    ...(rows.length === 0
      ? [vscode.l10n.t('No config and no profile says anything about it.')]
      : [vscode.l10n.t('What decides, in this order:'), rows.join('\n')]),
  ].join('\n\n');
}

function asCode(name: string): string {
  return `\`${inertLine(name, 80).replaceAll('`', '')}\``;
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
}
