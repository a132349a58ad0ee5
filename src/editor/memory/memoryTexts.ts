import * as vscode from 'vscode';
import { formatBytes, formatCount } from '../../base/formatNumbers.ts';
import { inertLine } from '../../base/text.ts';
import type { MemoryFile, MemoryProgress, MemoryStatus, VectorState } from '../../memory/memory.ts';

/** What the first row of the view says, and a chat that asks for the state. */
interface StateTexts {
  readonly label: string;
  readonly description: string;
  /** What is not plain from the two; lines. */
  readonly details: readonly string[];
}

/**
 * `1,204 passages in 86 files` · `up to date, 3.1 MB`, and while it works `Indexing 40 of 300` · `1,204 passages in 86 files so
 * far`: what matters most comes first, since a narrow view shows little more.
 */
export function stateTexts(status: MemoryStatus): StateTexts {
  const { bytes, progress } = status;
  const held = vscode.l10n.t('{0} in {1}', passagesText(status.passages), filesText(status.files));
  const size = bytes === 0 ? [] : [formatBytes(bytes, vscode.env.language)];
  const details = detailsOf(status);
  return progress === undefined
    ? { label: held, description: [stillText(status), ...size].join(', '), details }
    : { label: capital(progressText(progress)), description: vscode.l10n.t('{0} so far', held), details };
}

function stillText({ role, stale, lastSync }: MemoryStatus): string {
  if (role === 'reading') return vscode.l10n.t('updated by another window');
  if (lastSync === undefined) return vscode.l10n.t('not all indexed');
  return stale > 0 ? vscode.l10n.t('{0} to be reindexed', filesText(stale)) : vscode.l10n.t('up to date');
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(vscode.env.language) + text.slice(1);
}

function detailsOf({ role, lastSync, lastSyncMs, indexPath }: MemoryStatus): readonly string[] {
  const took =
    lastSyncMs === undefined ? '' : ` (${formatCount(Math.round(lastSyncMs), vscode.env.language)} ms)`;
  return [
    ...(role === 'reading'
      ? [vscode.l10n.t('Another window of this workspace writes the index. This one reads it.')]
      : []),
    ...(lastSync === undefined ? [] : [`${vscode.l10n.t('Last full scan: {0}', timeText(lastSync))}${took}`]),
    ...(indexPath === '' ? [] : [vscode.l10n.t('Index: {0}', indexPath)]),
  ];
}

/** `indexing 40 of 300`. */
export function progressText({ phase, done, total }: MemoryProgress): string {
  const count = countText(done, total, vscode.l10n.t('of'));
  switch (phase) {
    case 'scan':
      return done === 0 ? vscode.l10n.t('scanning files') : vscode.l10n.t('scanning files, {0}', count);
    case 'index':
      return vscode.l10n.t('indexing {0}', count);
    case 'embed':
      return vscode.l10n.t('embedding, {0}', count);
  }
}

/** `1,200/10,000`; undefined where nothing is counted. */
export function progressCount({ done, total }: MemoryProgress): string | undefined {
  return done === 0 && total === undefined ? undefined : countText(done, total, '/');
}

function countText(done: number, total: number | undefined, between: string): string {
  const { language } = vscode.env;
  const glue = between === '/' ? between : ` ${between} `;
  return total === undefined
    ? formatCount(done, language)
    : `${formatCount(done, language)}${glue}${formatCount(total, language)}`;
}

/** Whether meanings are compared: `Meanings compared` · `openai text-embedding-3-small`, or why not. */
export function vectorTexts(vector: VectorState): { readonly label: string; readonly description: string } {
  const provider = inertLine([vector.provider, vector.model].filter(Boolean).join(' '), 80);
  const reason = inertLine(vector.reason ?? '', 300);
  switch (vector.state) {
    case 'on': {
      const missing = vector.total - vector.embedded;
      const count = vscode.l10n.t('{0} not embedded yet', passagesText(missing));
      return {
        label: vscode.l10n.t('Text and semantic search'),
        description: missing > 0 ? `${provider}, ${count}` : provider,
      };
    }
    case 'off':
      return { label: vscode.l10n.t('Text search only'), description: reason };
    case 'failing':
      return { label: vscode.l10n.t('Text search only: {0} fails', provider), description: reason };
  }
}

/** What a note under results says of the leg that is missing; undefined where none is. */
export function vectorNote(vector: VectorState): string | undefined {
  if (vector.state === 'on') return undefined;
  const { label, description } = vectorTexts(vector);
  return description === '' ? label : `${label}. ${description}`;
}

/** The few words beside a file's name. */
export function fileText(file: MemoryFile): string {
  const reason = file.reason === undefined ? undefined : inertLine(file.reason, 200);
  switch (file.state) {
    case 'indexed':
      return passagesText(file.passages);
    case 'stale':
      return vscode.l10n.t('{0}, changed: to be reindexed', passagesText(file.passages));
    case 'left-out':
      return reason ?? vscode.l10n.t('left out');
    case 'forgotten':
      return reason ?? vscode.l10n.t('forgotten');
  }
}

export function passagesText(count: number): string {
  const shown = formatCount(count, vscode.env.language);
  return count === 1 ? vscode.l10n.t('1 passage') : vscode.l10n.t('{0} passages', shown);
}

export function filesText(count: number): string {
  const shown = formatCount(count, vscode.env.language);
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', shown);
}

export function timeText(time: number): string {
  return new Date(time).toLocaleString(vscode.env.language);
}
