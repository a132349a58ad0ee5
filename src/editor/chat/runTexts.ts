import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { ownText } from '../../agent/context/ownText.ts';
import type { EventOf } from '../../contracts/agentEvent.ts';
import type { ModelFailure, ModelInfo } from '../../contracts/model.ts';
import { commandLink } from './trustedMarkdown.ts';

export function waitingText(what: EventOf<'waiting'>['for']): string {
  if (what === 'changes')
    return vscode.l10n.t('Waiting for running turns to end, to load what changed on disk');
  return vscode.l10n.t(
    'Another window or program is using this session. This message waits until it is done.',
  );
}

/** What the built-in model says of itself, with a link to what helps. A line of markdown. */
export function builtInLine(): string {
  const add = commandLink(vscode.l10n.t('Add a model'), 'pincer.models.add');
  return `*${vscode.l10n.t('Built-in model: search and commands, no AI. {0} to get more than that.', add)}*`;
}

/** Which model it was: in full where it is another one than before (`isNew`), else its name alone. A line of markdown. */
export function answeredByLine(model: ModelInfo, isNew: boolean): string {
  const name = escapeMarkdown(inertLine(model.name, 60));
  if (!isNew) return `$(sparkle) ${name}`;
  const id = escapeMarkdown(inertLine(`${model.provider}/${model.model}`, 120));
  return `$(sparkle) ${vscode.l10n.t('Answered by {0}', name === id ? name : `${name} (${id})`)}`;
}

/** The config names a model that is not there, and another one has answered: nothing else in the answer says so. A line of markdown. */
export function missingModelLine(name: string): string {
  const said = vscode.l10n.t(
    'The config names the model “{0}”, which does not exist.',
    escapeMarkdown(inertLine(name, 120)),
  );
  const add = commandLink(vscode.l10n.t('Add Model…'), 'pincer.models.add');
  return `$(warning) ${said} ${add} · ${commandLink(vscode.l10n.t('Open User Config'), 'pincer.config.openUser')}`;
}

/** The panel's own switch is about the tools of VS Code: whoever has set it wonders why Pincer asks. A line of markdown. */
export function allowsAllLine(): string {
  const mode = commandLink(vscode.l10n.t('Set Approval Mode…'), 'pincer.approvals.setMode');
  return `$(info) ${vscode.l10n.t('The permissions of the chat panel do not apply to Pincer. Use {0} instead.', mode)}`;
}

export function thoughtText(line: string): string {
  return vscode.l10n.t('Thinking: {0}', line);
}

/** `Waiting 20 s, then asking again: …` */
export function retryText({ waitMs, because }: EventOf<'model_retry'>): string {
  const seconds = Math.max(1, Math.round(waitMs / 1_000));
  return vscode.l10n.t('Retrying in {0} s: {1}', seconds, failureText(because));
}

export function fallbackText({ to, because }: EventOf<'model_fallback'>): string {
  return vscode.l10n.t('Falling back to {0}: {1}', inertLine(to.name, 60), failureText(because));
}

/** What the user said while the turn ran, where it reached the model; a line of markdown. */
export function saidLine(event: EventOf<'steered'> | EventOf<'follow_up'>): string {
  const said = `“${escapeMarkdown(inertLine(ownText(event.message), 200))}”`;
  if (event.type === 'follow_up') return `$(comment) ${vscode.l10n.t('Your follow-up: {0}', said)}`;
  const skipped =
    event.skipped === 0
      ? ''
      : ` · ${event.skipped === 1 ? vscode.l10n.t('1 call skipped') : vscode.l10n.t('{0} calls skipped', event.skipped)}`;
  return `$(comment) ${vscode.l10n.t('Your message reached the model: {0}', said)}${skipped}`;
}

/** A line of markdown. */
export function compactionFailedText({ because }: EventOf<'compaction_failed'>): string {
  const why = escapeMarkdown(failureText(because));
  return vscode.l10n.t('The conversation could not be compacted and stays as it is: {0}', why);
}

function failureText({ message }: ModelFailure): string {
  return inertLine(message, 160);
}
