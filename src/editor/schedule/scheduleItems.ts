import * as vscode from 'vscode';
import { formatCost } from '../../agent/context/describeUse.ts';
import { inertLine } from '../../base/text.ts';
import type { JobRun } from '../../schedule/job.ts';
import { describeWhen } from '../../schedule/readWhen.ts';
import type { JobState } from '../../schedule/schedule.ts';
import { agoText } from '../sessions/sessionTexts.ts';
import type { JobRow, RunRow, ScheduleRow } from './scheduleRows.ts';

/** `now` is in milliseconds since the epoch. */
export function toScheduleItem(row: ScheduleRow, now: number): vscode.TreeItem {
  return row.kind === 'job' ? jobItem(row, now) : runItem(row, now);
}

function jobItem({ state, isAsking, children }: JobRow, now: number): vscode.TreeItem {
  const { job, running } = state;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(inertLine(job.name, 60), children.length === 0 ? None : Collapsed);
  item.description = isAsking ? vscode.l10n.t('waits for your answer in Approvals') : jobText(state, now);
  item.tooltip = jobDetails(state);
  item.iconPath = isAsking ? new vscode.ThemeIcon('bell-dot') : jobIcon(state);
  const can = job.by.kind === 'heartbeat' ? 'fixed' : 'own';
  const stands =
    running !== undefined ? 'running' : job.isEnabled ? (state.isDone ? 'done' : 'on') : 'paused';
  item.contextValue = `job.${can}.${stands}`;
  return item;
}

function jobIcon({ job, running, last, isDone }: JobState): vscode.ThemeIcon {
  if (running !== undefined) return goingIcon(running);
  if (!job.isEnabled) return new vscode.ThemeIcon('debug-pause');
  if (last?.status === 'error' || last?.status === 'interrupted')
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  return new vscode.ThemeIcon(isDone ? 'check' : 'watch');
}

/** `in 2 hr. · done 5 min. ago, $0.02`. */
export function jobText(state: JobState, now: number): string {
  const { isDone, running } = state;
  // What runs now is the last one, too.
  const last = state.last?.status === undefined ? undefined : state.last;
  if (last !== undefined && isDone && running === undefined) return lastText(last, now);
  return [stateText(state, now), ...(last === undefined ? [] : [lastText(last, now)])].join(' · ');
}

function stateText({ job, next, running, isDone, waitsForPlace }: JobState, now: number): string {
  if (running !== undefined) return goingText(running);
  if (waitsForPlace) return vscode.l10n.t('waits for another job to end');
  if (!job.isEnabled) return vscode.l10n.t('paused');
  if (isDone) return vscode.l10n.t('its time has passed');
  return next === undefined ? vscode.l10n.t('not due again') : comingText(next, now);
}

function lastText(run: JobRun, now: number): string {
  const outcome = `${outcomeText(run)} ${agoText(run.endedAt ?? run.startedAt, now)}`;
  return run.cost === undefined || run.cost === 0 ? outcome : `${outcome}, ${formatCost(run.cost)}`;
}

function outcomeText(run: JobRun): string {
  switch (run.status) {
    case 'ok':
      return vscode.l10n.t('done');
    case 'error':
      return vscode.l10n.t('failed');
    case 'skipped':
      return vscode.l10n.t('skipped');
    case 'interrupted':
      return vscode.l10n.t('cut off');
    case undefined:
      return goingText(run);
  }
}

/** Of a run that has no end yet. */
function goingText({ waitsFor }: JobRun): string {
  switch (waitsFor) {
    case 'answer':
      return vscode.l10n.t('waits for an answer');
    case 'place':
      return vscode.l10n.t('waits for another job to end');
    case undefined:
      return vscode.l10n.t('runs now');
  }
}

function goingIcon({ waitsFor }: JobRun): vscode.ThemeIcon {
  return new vscode.ThemeIcon(waitsFor === undefined ? 'sync~spin' : 'watch');
}

/** `in 5 min.`, within a day; later the date. */
function comingText(time: number, now: number): string {
  const minutes = Math.ceil((time - now) / 60_000);
  const format = new Intl.RelativeTimeFormat(vscode.env.language, { style: 'short' });
  if (minutes <= 0) return vscode.l10n.t('due now');
  if (minutes < 60) return format.format(minutes, 'minute');
  if (minutes < 24 * 60) return format.format(Math.round(minutes / 60), 'hour');
  return timeText(time);
}

export function timeText(time: number): string {
  return new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A line of its own for each fact. */
function jobDetails({ job, next, last }: JobState): string {
  return [
    inertLine(job.name, 100),
    ...(job.description === undefined ? [] : [inertLine(job.description, 300)]),
    vscode.l10n.t('When: {0}', inertLine(describeWhen(job.when), 150)),
    ...(next === undefined ? [] : [vscode.l10n.t('Next: {0}', timeText(next))]),
    ...(last === undefined
      ? []
      : [vscode.l10n.t('Last: {0}, {1}', timeText(last.startedAt), outcomeText(last))]),
    ...(last?.error === undefined ? [] : [inertLine(last.error, 300)]),
    ...(last?.tokens === undefined ? [] : [vscode.l10n.t('Tokens of the last run: {0}', last.tokens)]),
    vscode.l10n.t('Agent: {0}', inertLine(job.agentId, 64)),
    ownerText(job.by),
    vscode.l10n.t('Prompt: {0}', inertLine(job.prompt, 500)),
    vscode.l10n.t('Id: {0}', job.id),
  ].join('\n');
}

function ownerText(by: JobState['job']['by']): string {
  switch (by.kind) {
    case 'user':
      return vscode.l10n.t('Added by you.');
    case 'agent':
      return vscode.l10n.t('Added by the agent, which you allowed.');
    case 'heartbeat':
      return vscode.l10n.t('Added by schedule.heartbeat of the config.');
    case 'plugin':
      return vscode.l10n.t('Added by plugin {0}.', inertLine(by.pluginId, 60));
  }
}

function runItem({ run, sessionId }: RunRow, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(agoText(run.startedAt, now));
  item.description = runText(run);
  item.tooltip = [
    timeText(run.startedAt),
    runText(run),
    ...(run.model === undefined ? [] : [run.model]),
  ].join('\n');
  item.iconPath = runIcon(run);
  item.contextValue = sessionId === undefined ? 'run' : 'run.session';
  if (sessionId !== undefined)
    item.command = {
      command: 'pincer.sessions.show',
      title: vscode.l10n.t('Show Conversation'),
      arguments: [{ sessionId }],
    };
  return item;
}

/** `done, $0.02: The log is fine.` */
export function runText(run: JobRun): string {
  const about = run.error ?? run.summary;
  const cost = run.cost === undefined || run.cost === 0 ? [] : [formatCost(run.cost)];
  const head = [outcomeText(run), ...cost].join(', ');
  return about === undefined ? head : `${head}: ${inertLine(about, 200)}`;
}

function runIcon(run: JobRun): vscode.ThemeIcon {
  switch (run.status) {
    case 'ok':
      return new vscode.ThemeIcon('check', new vscode.ThemeColor('testing.iconPassed'));
    case 'skipped':
      return new vscode.ThemeIcon('debug-step-over');
    case 'error':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'interrupted':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case undefined:
      return goingIcon(run);
  }
}
