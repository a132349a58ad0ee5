import * as vscode from 'vscode';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { noIcons } from '../memory/hitItems.ts';
import { summaryText, titleText } from './sessionTexts.ts';

interface SessionPick extends vscode.QuickPickItem {
  readonly summary: SessionSummary;
}

/** Lets the user choose a session, the newest first; undefined where they choose none. */
export async function pickSession(
  summaries: readonly SessionSummary[],
  title: string,
): Promise<SessionSummary | undefined> {
  if (summaries.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no session yet: ask Pincer something.'),
    );
    return undefined;
  }
  const now = Date.now();
  const picked = await vscode.window.showQuickPick(
    summaries.map((summary) => toPick(summary, now)),
    { title, placeHolder: vscode.l10n.t('Newest first'), matchOnDescription: true },
  );
  return picked?.summary;
}

/** `now` is in milliseconds since the epoch. */
export function toPick(summary: SessionSummary, now: number): SessionPick {
  return {
    summary,
    label: noIcons(titleText(summary, 60)),
    description: noIcons(summaryText(summary, now)),
  };
}
