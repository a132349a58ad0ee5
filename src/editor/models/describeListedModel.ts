import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { ModelCost } from '../../contracts/model.ts';
import { modelPurpose, type ModelPurpose } from '../../models/library/modelPurpose.ts';
import type { ListedModel } from '../../runtime/index.ts';

/** What a server says of a model, in short: `Qwen 3 · 128,000 tokens · images · $0.15 in, $0.60 out`. */
export function describeListedModel({ id, name, contextWindow, imageInput, cost }: ListedModel): string {
  const facts = [
    name === undefined || name === id ? '' : inertLine(name, 80),
    purposeText(modelPurpose(id)),
    contextWindow === undefined
      ? ''
      : vscode.l10n.t('{0} tokens', contextWindow.toLocaleString(vscode.env.language)),
    imageInput === true ? vscode.l10n.t('images') : '',
    cost === undefined ? '' : describePrice(cost),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

/** `$3 in, $15 out, $0.3 cached`, US dollars per million tokens. */
export function describePrice({ input, output, cacheRead }: ModelCost): string {
  return cacheRead === undefined
    ? vscode.l10n.t('${0} in, ${1} out', input, output)
    : vscode.l10n.t('${0} in, ${1} out, ${2} cached', input, output, cacheRead);
}

/** Nothing for a chat model: that is what one looks for. */
function purposeText(purpose: ModelPurpose): string {
  switch (purpose) {
    case 'chat':
      return '';
    case 'embeddings':
      return vscode.l10n.t('embeddings');
    case 'reranking':
      return vscode.l10n.t('reranking');
    case 'speech':
      return vscode.l10n.t('speech');
    case 'images':
      return vscode.l10n.t('makes images');
    case 'moderation':
      return vscode.l10n.t('moderation');
    case 'completion':
      return vscode.l10n.t('text completion');
  }
}
