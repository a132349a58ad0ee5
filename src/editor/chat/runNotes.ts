import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { escapeMarkdown, inertLine, truncate } from '../../base/text.ts';
import { changedFilesOf } from '../../agent/changedFilesOf.ts';
import type { AgentEvent, ChangedFile } from '../../contracts/agentEvent.ts';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { isSurface } from '../../approvals/surfaces.ts';
import type { AnswerStream } from './orderedStream.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';

/** What stays in sight under the answer: what was stopped and by whom, and which files changed. */
export interface RunNote {
  readonly icon: string;
  /** Markdown of our own making. */
  readonly text: string;
  /** Absolute path of the file it is about. */
  readonly file?: string;
}

type Ended = Pick<Extract<AgentEvent, { type: 'tool_ended' }>, 'call' | 'facts'>;

/** What a call leaves to be said at the end. `target`: what of it the call was about, empty where nothing says so. */
export function notesOfCall(event: Ended, target: string): readonly RunNote[] {
  const details = event.facts;
  if (!isRecord(details)) return [];
  const reason = typeof details['reason'] === 'string' ? `: ${quoted(details['reason'])}` : '';
  const call = [code(event.call.name, 60), ...(target === '' ? [] : [code(target, 80)])].join(' ');
  switch (details['status']) {
    case 'blocked':
      return [
        {
          icon: 'circle-slash',
          text: `${vscode.l10n.t('{0} was blocked by {1}', call, blockerOf(details))}${reason} · ${[...tryAgainLink(details), whyLink()].join(' · ')}`,
        },
      ];
    case 'withheld':
      return [
        {
          icon: 'circle-slash',
          text: `${vscode.l10n.t('{0} ran, but its result was withheld by {1}', call, blockerOf(details))}${reason} · ${whyLink()}`,
        },
      ];
    case 'denied':
      return [{ icon: 'x', text: deniedText(call, details) }];
    case 'running':
      return event.call.name === 'exec' ? [{ icon: 'terminal', text: startedText(details) }] : [];
    default:
      return changedFilesOf(details).map(noteOfChange);
  }
}

/** The same of a call of an agent that the turn has started, which is named; a file is the turn's, whoever changed it. */
export function notesOfAgentCall(agent: string, event: Ended, target: string): readonly RunNote[] {
  return notesOfCall(event, target).map((note) =>
    note.file === undefined ? { ...note, text: `${quoted(agent, 60)}: ${note.text}` } : note,
  );
}

/** Files stand close together, a line each. `before`: the note above. */
export function showNote(stream: AnswerStream, { icon, text, file }: RunNote, before?: RunNote): void {
  const gap = file !== undefined && before?.file !== undefined ? '  \n' : '\n\n';
  stream.markdown(trustedMarkdown(`${gap}$(${icon}) ${text} `));
  if (file !== undefined) stream.anchor(vscode.Uri.file(file));
}

/** What the turn changed, and the way back. */
export function checkpointLinks(turnId: string): string {
  const show = commandLink(vscode.l10n.t('Show changes'), 'pincer.checkpoints.show', { turnId });
  return `${show} · ${commandLink(vscode.l10n.t('Restore…'), 'pincer.checkpoints.restore', { turnId })}`;
}

/** What became of one file. */
export function noteOfChange({ status, file }: ChangedFile): RunNote {
  switch (status) {
    case 'created':
      return { icon: 'edit', text: vscode.l10n.t('Created'), file };
    case 'changed':
      return { icon: 'edit', text: vscode.l10n.t('Changed'), file };
    case 'deleted':
      return { icon: 'trash', text: vscode.l10n.t('Deleted'), file };
  }
}

function deniedText(call: string, { by, reason, approvalId }: Record<string, unknown>): string {
  if (by === 'timeout')
    return [vscode.l10n.t('{0} was denied: nobody answered in time', call), ...askAgainLink(approvalId)].join(
      ' · ',
    );
  // The words themselves stand in the chat.
  if (by === 'words') return vscode.l10n.t('{0} was denied: you answered with a message', call);
  if (isSurface(by)) return vscode.l10n.t('You denied {0}', call);
  const why = typeof reason === 'string' ? `: ${quoted(reason.replace(/^Denied: /u, ''))}` : '';
  return vscode.l10n.t('{0} was denied', call) + why;
}

function askAgainLink(approvalId: unknown): readonly string[] {
  if (typeof approvalId !== 'string') return [];
  return [commandLink(vscode.l10n.t('Ask again'), 'pincer.approvals.askAgain', { approvalId })];
}

/** A command outlives its turn: it must not run unseen. */
function startedText(details: Record<string, unknown>): string {
  return `${vscode.l10n.t('Started in the background: {0}', commandIn(details))} · ${showLink(details)}`;
}

/** Of a command whose step is taken back: it goes on. */
export function goesOnText(details: Record<string, unknown>): string {
  return `${vscode.l10n.t('Still runs in the background: {0}', commandIn(details))} · ${showLink(details)}`;
}

/** How it ended, when nobody expects word of it any more. */
export function endedText(details: Record<string, unknown>, facts: readonly string[]): string {
  const ended = vscode.l10n.t('Ended in the background: {0}', commandIn(details));
  return [ended, ...facts.map((fact) => quoted(fact)), showLink(details)].join(' · ');
}

function commandIn({ command }: Record<string, unknown>): string {
  return typeof command === 'string' ? quoted(truncate(showHiddenLine(command), 80)) : '';
}

function showLink({ sessionId: jobId }: Record<string, unknown>): string {
  return commandLink(vscode.l10n.t('Show'), 'pincer.jobs.show', { jobId });
}

/** Told apart from the words around it, however long it is. */
function code(text: string, max: number): string {
  return `\`${inertLine(text, max).replaceAll('`', "'").replaceAll('$(', '$ (')}\``;
}

// Threat: models name tools, plugins give reasons. A line break would end the line of ours that they stand in, and begin markdown of theirs
// whose links may run our commands.
function quoted(text: string, max = 500): string {
  return escapeMarkdown(inertLine(text, max));
}

/** Leads to the run, step by step. */
function whyLink(): string {
  return commandLink(vscode.l10n.t('Show the run'), 'pincer.runs.showLast');
}

/** For a plugin that is skipped because it hung. */
function tryAgainLink({ isSkipped, pluginId }: Record<string, unknown>): readonly string[] {
  if (isSkipped !== true || typeof pluginId !== 'string') return [];
  return [commandLink(vscode.l10n.t('Reload the Plugin'), 'pincer.plugins.reload', { pluginId })];
}

function blockerOf(details: Record<string, unknown>): string {
  const pluginId = details['pluginId'];
  return typeof pluginId === 'string'
    ? vscode.l10n.t('plugin {0}', `**${quoted(pluginId, 60)}**`)
    : vscode.l10n.t('a rule of Pincer');
}
