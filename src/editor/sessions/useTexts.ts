import * as vscode from 'vscode';
import { describeUse, formatTokens, type UseTexts } from '../../agent/context/describeUse.ts';
import type { SessionUse } from '../../contracts/usage.ts';
import { planGauge } from './planGauge.ts';

/** What the context, the last turn and the session used, a title and a text each; estimates and unknown prices are said. */
export function useLines(use: SessionUse): readonly (readonly [title: string, text: string])[] {
  const { context, turn, session } = describeUse(use, useTexts());
  const { compactAt, window } = use.context;
  const compaction =
    compactAt < window ? ` · ${vscode.l10n.t('compacts at {0}', formatTokens(compactAt))}` : '';
  return [
    [vscode.l10n.t('Context'), `${planGauge(use.context).text} · ${context}${compaction}`],
    ...(turn === undefined ? [] : [[vscode.l10n.t('Last turn'), turn] as const]),
    ...(use.session.calls === 0 ? [] : [[vscode.l10n.t('Whole session'), session] as const]),
  ];
}

function useTexts(): UseTexts {
  return {
    context: (tokens, window) => vscode.l10n.t('{0} of {1} tokens', tokens, window),
    tokens: (input, output) => vscode.l10n.t('{0} tokens in, {1} out', input, output),
    estimated: (text) => vscode.l10n.t('{0} (estimated)', text),
    atLeast: (cost) => vscode.l10n.t('at least {0}', cost),
    costUnknown: vscode.l10n.t('cost unknown'),
  };
}
