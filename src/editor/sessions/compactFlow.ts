import * as vscode from 'vscode';
import { escapeMarkdown } from '../../base/text.ts';
import type { CompactionResult } from '../../agent/context/compactSession.ts';
import type { CompactionEntry } from '../../contracts/sessionEntry.ts';
import { formatCount } from '../../base/formatNumbers.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { toAbortSignal } from '../toAbortSignal.ts';
import { showSummary } from './summaryDocuments.ts';

/** `/compact` without a chat: shows progress, and what came of it. */
export async function compactFlow(
  { conversations }: Pick<Runtime, 'conversations'>,
  session: Session,
): Promise<void> {
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Compacting the conversation'),
      cancellable: true,
    },
    (_, token) => conversations.compact(session, toAbortSignal(token)),
  );
  const text = notificationText(compactionText(result));
  if (result.status !== 'compacted') {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const show = vscode.l10n.t('Show Summary');
  inBackground(
    vscode.window.showInformationMessage(text, show).then(async (answer) => {
      if (answer === show) await showSummary(session.id, result.entry.id);
    }),
  );
}

/** One sentence, plain text. */
export function compactionText(result: CompactionResult): string {
  switch (result.status) {
    case 'compacted':
      return shortenedText(result.entry);
    case 'nothing':
      return vscode.l10n.t('Nothing was compacted: {0}', result.reason);
    case 'failed':
      return vscode.l10n.t(
        'The conversation could not be compacted and stays as it is: {0}',
        result.because.message,
      );
  }
}

/** `12 messages shortened: about 120,000 tokens → 20,000`. */
function shortenedText({ compactedCount, tokensBefore, tokensAfter }: CompactionEntry): string {
  const count = (value: number): string => formatCount(value, vscode.env.language);
  return vscode.l10n.t(
    '{0} messages compacted: about {1} tokens before, {2} now',
    count(compactedCount),
    count(tokensBefore),
    count(tokensAfter),
  );
}

/** A line of markdown that opens the summary; it has to stand in trusted markdown. */
export function compactionLine(sessionId: string, entry: CompactionEntry): string {
  const argument = encodeURIComponent(JSON.stringify([{ sessionId, entryId: entry.id }]));
  const show = `[${vscode.l10n.t('Show summary')}](command:pincer.sessions.showSummary?${argument})`;
  return `${escapeMarkdown(shortenedText(entry))} · ${show}`;
}
