import * as vscode from 'vscode';
import { formatCount } from '../../base/formatNumbers.ts';
import { inertLine } from '../../base/text.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { Session } from '../../sessions/session.ts';
import { relativeTime } from './relativeTime.ts';
import type { SessionGroup } from './sessionRows.ts';
import { sessionTitle } from '../../sessions/sessionTitle.ts';

export function groupText(group: SessionGroup): string {
  switch (group) {
    case 'running':
      return vscode.l10n.t('Running');
    case 'today':
      return vscode.l10n.t('Today');
    case 'yesterday':
      return vscode.l10n.t('Yesterday');
    case 'week':
      return vscode.l10n.t('Last 7 days');
    case 'older':
      return vscode.l10n.t('Older');
  }
}

/** The name of a session as rows, lists and questions show it. Anybody may have written it: one line, nothing hidden. */
export function titleText({ title }: Pick<SessionSummary, 'title'>, max = 120): string {
  const line = inertLine(title, max);
  return line === '' ? vscode.l10n.t('Without a message') : line;
}

/** The same of a session that is open. */
export function nameOfSession(session: Session, max = 60): string {
  return sessionTitle(session, max) ?? vscode.l10n.t('Without a message');
}

export function elsewhereText(): string {
  return vscode.l10n.t('runs in another window or program');
}

/** `researcher · 5 min. ago · 12 messages`; the agent is told where it is not the usual one. */
export function summaryText(summary: SessionSummary, now: number): string {
  if (summary.problem !== undefined) return inertLine(summary.problem, 200);
  return [
    ...(summary.runsElsewhere === true ? [elsewhereText()] : []),
    ...(summary.agentId === 'main' ? [] : [inertLine(summary.agentId, 40)]),
    agoText(summary.updatedAt, now),
    messagesText(summary.messageCount),
  ].join(' · ');
}

export function agoText(time: number, now: number): string {
  return relativeTime(time, now, vscode.env.language, vscode.l10n.t('now'));
}

export function messagesText(count: number): string {
  const shown = formatCount(count, vscode.env.language);
  return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', shown);
}

/** When the model reads it. */
export function waitingText({ kind }: Pick<WaitingMessage, 'kind'>): string {
  return kind === 'steer' ? vscode.l10n.t('read at the next step') : vscode.l10n.t('read in the next turn');
}

/** A line of its own for each fact. */
export function summaryDetails(summary: SessionSummary): string {
  const time = (ms: number): string => new Date(ms).toLocaleString(vscode.env.language);
  return [
    titleText(summary, 300),
    ...(summary.problem === undefined ? [] : [inertLine(summary.problem, 300)]),
    ...(summary.runsElsewhere === true
      ? [vscode.l10n.t('A turn of it runs in another window or program.')]
      : []),
    ...(summary.isInterrupted ? [vscode.l10n.t('Its last turn was interrupted.')] : []),
    ...(summary.updatedAt === 0 ? [] : [vscode.l10n.t('Last used: {0}', time(summary.updatedAt))]),
    // Of one that can't be read nothing else is known.
    ...(summary.createdAt === 0
      ? []
      : [
          vscode.l10n.t('Started: {0}', time(summary.createdAt)),
          vscode.l10n.t('Agent: {0}', inertLine(summary.agentId, 64)),
          messagesText(summary.messageCount),
        ]),
    ...(summary.parent === undefined ? [] : [originText(summary)]),
    vscode.l10n.t('Id: {0}', summary.id),
  ].join('\n');
}

function originText({ kind }: SessionSummary): string {
  return kind === 'subagent'
    ? vscode.l10n.t('Started by the agent of another session.')
    : vscode.l10n.t('A fork of another session.');
}
