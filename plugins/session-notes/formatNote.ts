// Threat: notes are read again, by the user's markdown viewer and by models that search the memory. What a user, a model or
// a tool has named stands in code spans of one line each, so that it can't become a heading, a link, a comment or a list.
import type { SessionDraft } from './sessionDraft.ts';

export interface NoteFacts {
  readonly sessionId: string;
  readonly endedAt: Date;
  readonly durationMs: number | undefined;
  readonly maxLines: number;
}

const maxText = 200;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** The marker line by which a session is known in a file. */
export function markerOf(sessionId: string): string {
  return `<!-- session ${sessionId.replace(/[^\w-]/gu, '')} -->`;
}

/** One note: at most `maxLines` lines, the first a heading, the last the marker. Pure. */
export function formatNote(draft: SessionDraft, facts: NoteFacts): string {
  const lines = [
    `## ${timeOf(facts.endedAt)} Session`,
    markerOf(facts.sessionId),
    ...(draft.request === '' ? [] : [`- Request: ${inert(draft.request)}`]),
    `- Outcome: ${draft.outcome}, ${plural(draft.requests, 'request')}${lengthOf(facts.durationMs)}`,
    ...(draft.tools.size === 0 ? [] : [`- Tools: ${toolsOf(draft)}`]),
  ];
  const room = facts.maxLines - lines.length;
  return [...lines, ...filesOf([...draft.files], room)].slice(0, facts.maxLines).join('\n');
}

/** `2026-01-31` where the user is. */
export function dayOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(date: Date): string {
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

function lengthOf(durationMs: number | undefined): string {
  if (durationMs === undefined) return '';
  const minutes = Math.round(durationMs / 60_000);
  return minutes < 1 ? ', under a minute' : `, ${plural(minutes, 'minute')}`;
}

function toolsOf({ tools }: SessionDraft): string {
  const shown = [...tools].slice(0, 20).map(([name, { done, failed }]) => {
    const failures = failed === 0 ? '' : ` (${failed} failed)`;
    return `${inert(name)} ${done + failed}${failures}`;
  });
  return [...shown, ...(tools.size > 20 ? [`${tools.size - 20} more`] : [])].join(', ');
}

function filesOf(files: readonly string[], room: number): readonly string[] {
  if (files.length === 0) return [];
  if (room < 3) return [`- Changed: ${plural(files.length, 'file')}`];
  const fits = files.length <= room - 1;
  const shown = fits ? files : files.slice(0, room - 2);
  const rest = files.length - shown.length;
  return [
    '- Changed:',
    ...shown.map((file) => `  - ${inert(file)}`),
    ...(fits ? [] : [`  - and ${rest} more`]),
  ];
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function inert(text: string): string {
  const line = text.replace(invisible, ' ').trim().replaceAll('`', "'");
  return `\`${line.length > maxText ? `${line.slice(0, maxText)}…` : line || '?'}\``;
}
