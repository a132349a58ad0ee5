import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { ListedModel } from '../../runtime/index.ts';

/** What a server says of a model, in short: `Qwen 3 · 128,000 tokens · images · $0.15 in, $0.60 out`. */
export function describeListedModel({ id, name, contextWindow, imageInput, cost }: ListedModel): string {
  const facts = [
    name === undefined || name === id ? '' : inertLine(name, 80),
    contextWindow === undefined
      ? ''
      : vscode.l10n.t('{0} tokens', contextWindow.toLocaleString(vscode.env.language)),
    imageInput === true ? vscode.l10n.t('images') : '',
    cost === undefined ? '' : vscode.l10n.t('${0} in, ${1} out', cost.input, cost.output),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}
