import * as vscode from 'vscode';
import { changedFilesOf } from '../../agent/changedFilesOf.ts';
import { isSurface } from '../../approvals/surfaces.ts';
import { isRecord } from '../../base/json.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ToolResultMessage } from '../../contracts/message.ts';
import { duration } from '../../tools/core/describeJob.ts';
import type { CallTarget } from '../commandTable.ts';
import { commandLink } from './trustedMarkdown.ts';

type Ended = Pick<Extract<AgentEvent, { type: 'tool_ended' }>, 'call' | 'result' | 'facts'>;
type Started = Pick<Extract<AgentEvent, { type: 'tool_started' }>, 'label' | 'target'>;

/** How one call went, as a line of the answer. */
export interface CallStep {
  readonly icon?: 'error' | 'circle-slash';
  /** Plain text: `Read notes.md`. */
  readonly title: string;
  /** Plain text, short: `25 lines`, or why it failed. */
  readonly facts: readonly string[];
}

const maxTitle = 100;
const maxReason = 160;

/** What was done, for tools whose label says what is to be done. The rest keep their label. */
const doneTexts: Readonly<Record<string, (target: string) => string>> = {
  read: (target) => vscode.l10n.t('Read {0}', target),
  ls: (target) => vscode.l10n.t('Listed {0}', target || '.'),
  glob: (target) => vscode.l10n.t('Looked for {0}', target),
  grep: (target) => vscode.l10n.t('Searched {0}', target),
  edit: (target) => vscode.l10n.t('Edited {0}', target),
  write: (target) => vscode.l10n.t('Wrote {0}', target),
  apply_patch: (target) => vscode.l10n.t('Patched {0}', target),
  exec: (target) => vscode.l10n.t('Ran {0}', target),
  image: (target) => vscode.l10n.t('Looked at {0}', target),
  web_fetch: (target) => vscode.l10n.t('Fetched {0}', target),
  web_search: (target) => vscode.l10n.t('Searched the web for {0}', target),
  memory_search: (target) => vscode.l10n.t('Searched the memory for {0}', target),
  sessions_spawn: (target) => vscode.l10n.t('Started the agent {0}', target),
};

/** `started` is undefined for a call that was skipped. */
export function stepOf({ call, result, facts }: Ended, started: Started | undefined): CallStep {
  const details = isRecord(facts) ? facts : {};
  const label = inertLine(started?.label ?? call.name, maxTitle);
  const failed = failureOf(result, details);
  if (failed !== undefined) return { ...failed, title: label };
  const done = started === undefined ? undefined : doneTexts[call.name]?.(started.target);
  return {
    title: done === undefined ? label : inertLine(done, maxTitle),
    facts: factsOf(call.name, details),
  };
}

/** The step of an agent that the turn has started: `look ahead: Read log.md`. */
export function stepOfAgent(label: string, step: CallStep): CallStep {
  return { ...step, title: inertLine(`${label}: ${step.title}`, maxTitle) };
}

/** One line of markdown whose link opens the whole call. */
export function stepMarkdown({ icon, title, facts }: CallStep, about: CallPlace): string {
  const link = commandLink(escapeMarkdown(title), 'pincer.runs.showCall', about);
  const line = [link, ...facts.map(escapeMarkdown)].join(' · ');
  return icon === undefined ? line : `$(${icon}) ${line}`;
}

/** Where a call is kept. */
export type CallPlace = NonNullable<CallTarget>;

function failureOf(
  result: ToolResultMessage,
  details: Record<string, unknown>,
): Omit<CallStep, 'title'> | undefined {
  const reason = typeof details['reason'] === 'string' ? [inertLine(details['reason'], maxReason)] : [];
  switch (details['status']) {
    case 'blocked':
      return { icon: 'circle-slash', facts: [vscode.l10n.t('blocked'), ...reason] };
    case 'withheld':
      return { icon: 'circle-slash', facts: [vscode.l10n.t('ran, its result was withheld'), ...reason] };
    case 'denied':
      return { icon: 'circle-slash', facts: deniedFacts(details) };
    case 'skipped':
      return { icon: 'circle-slash', facts: [vscode.l10n.t('skipped')] };
  }
  if (!result.isError || isJob(details)) return undefined;
  const first = result.content.find((part) => part.type === 'text')?.text ?? '';
  return { icon: 'error', facts: [inertLine(reasonIn(first), maxReason)] };
}

/** The first line, and where that ends in a colon what it announces: `Not valid: path is missing`. Pure. */
function reasonIn(failure: string): string {
  const [first = '', second = ''] = failure.split('\n');
  return first.trimEnd().endsWith(':') ? `${first} ${second.replace(/^\s*[-*] /u, '')}` : first;
}

/** Most reasons begin by saying that it was denied: that is said once. */
function deniedFacts({ by, reason }: Record<string, unknown>): readonly string[] {
  if (isSurface(by)) return [vscode.l10n.t('denied by you')];
  const why = typeof reason === 'string' ? inertLine(reason.replace(/^Denied: /u, ''), maxReason) : '';
  return [vscode.l10n.t('denied'), ...(why === '' ? [] : [why])];
}

function factsOf(tool: string, details: Record<string, unknown>): readonly string[] {
  const { count, first, last, total } = details;
  const changes = changedFilesOf(details);
  if (changes.length > 0) {
    const sum = (of: 'added' | 'removed'): number =>
      changes.reduce((all, change) => all + (change[of] ?? 0), 0);
    return [`+${sum('added')} −${sum('removed')}`];
  }
  if (isJob(details)) return jobFacts(details);
  if (tool === 'grep' && typeof count === 'number')
    return [count === 1 ? vscode.l10n.t('1 hit') : vscode.l10n.t('{0} hits', count)];
  if (tool === 'glob' && typeof count === 'number')
    return [count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count)];
  if (tool === 'read' && typeof first === 'number' && typeof last === 'number' && typeof total === 'number') {
    if (first > 1 || last < total) return [vscode.l10n.t('lines {0}–{1} of {2}', first, last, total)];
    return [total === 1 ? vscode.l10n.t('1 line') : vscode.l10n.t('{0} lines', total)];
  }
  return [];
}

/** A command that was started: how it ended is its own fact, whichever tool tells it. */
function isJob({ command, durationMs }: Record<string, unknown>): boolean {
  return typeof command === 'string' && typeof durationMs === 'number';
}

/** How a command goes or ended, as `describeJob` tells it. */
export function jobFacts({
  status,
  exitCode,
  signal,
  durationMs,
}: Record<string, unknown>): readonly string[] {
  const took = typeof durationMs === 'number' && durationMs >= 100 ? [duration(durationMs)] : [];
  switch (status) {
    case 'running':
      return [vscode.l10n.t('goes on in the background')];
    case 'timeout':
      return [vscode.l10n.t('timed out'), ...took];
    case 'killed':
      return [vscode.l10n.t('killed'), ...took];
  }
  if (typeof exitCode === 'number') return [vscode.l10n.t('exit {0}', exitCode), ...took];
  return typeof signal === 'string' ? [vscode.l10n.t('ended by {0}', signal), ...took] : took;
}
