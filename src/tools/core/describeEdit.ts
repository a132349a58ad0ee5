import { structuredPatch } from 'diff';
import { countLineChanges } from '../../approvals/countLineChanges.ts';
import { findHunks } from '../../approvals/hunks.ts';
import { plural, truncate } from '../../base/text.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import type { FileProblem } from '../problemSource.ts';

/** What became of the change of one file; null where there is no file. */
export interface EditOutcome {
  readonly path: string;
  readonly label: string;
  readonly before: string | null;
  /** As it was asked for. */
  readonly after: string | null;
  /** Numbers of the hunks that the user refused. */
  readonly rejected: ReadonlySet<number>;
  /** What is left without them. */
  readonly text: string | null;
  /** What the file holds now. */
  readonly stored: string | null;
  readonly movedFrom?: string;
  readonly movedTo?: string;
  /** Those that were not there before. */
  readonly problems: readonly FileProblem[];
}

type Status = 'created' | 'changed' | 'deleted' | 'refused';

const maxHunks = 40;
const maxProblems = 20;
const maxDiffChars = 2_000;

/** Tells the model what was done: which hunks count, what saving made of them, and what is wrong with the files now. Pure. */
export function describeEdit(outcomes: readonly EditOutcome[], notes: readonly string[]): ToolResult {
  const isRefused = outcomes.every((outcome) => statusOf(outcome) === 'refused');
  const refusals = outcomes.some(({ rejected }) => rejected.size > 0)
    ? ['Do not repeat what was refused unless the user asks for it.']
    : [];
  const lines = [
    ...(isRefused ? ['The user refused every change; nothing was written.'] : outcomes.flatMap(linesOf)),
    ...(isRefused ? [] : notes),
    ...refusals,
  ];
  const files = outcomes.map((outcome) => {
    const { added, removed } = countLineChanges(outcome.before ?? '', outcome.text ?? '');
    return { path: outcome.label, file: outcome.path, status: statusOf(outcome), added, removed };
  });
  const [only] = files;
  const details = files.length === 1 && only !== undefined ? only : { status: 'changed', files };
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    details: isRefused ? { ...details, status: 'denied', reason: 'refused in the review' } : details,
    ...(isRefused ? { isError: true } : {}),
  };
}

function statusOf({ before, text }: EditOutcome): Status {
  if (text === before) return 'refused';
  if (before === null) return 'created';
  return text === null ? 'deleted' : 'changed';
}

function linesOf(outcome: EditOutcome): readonly string[] {
  return [
    ...headline(outcome),
    ...hunkLines(outcome),
    ...savingLines(outcome),
    ...problemLines(outcome.label, outcome.problems),
  ];
}

function headline(outcome: EditOutcome): readonly string[] {
  const { label, movedFrom, movedTo } = outcome;
  switch (statusOf(outcome)) {
    case 'created':
      return [movedFrom === undefined ? `Created ${label}.` : `Moved ${movedFrom} to ${label}.`];
    case 'changed':
      return [isPartial(outcome) ? `Changed ${label} in part:` : `Changed ${label}.`];
    case 'deleted':
      // The line of the new place tells it.
      return movedTo === undefined ? [`Deleted ${label}.`] : [];
    case 'refused':
      return [`Left ${label} as it was: the user refused this change.`];
  }
}

function isPartial({ rejected, text, before }: EditOutcome): boolean {
  return rejected.size > 0 && text !== before;
}

/** Line numbers are those of the file as it is now. */
function hunkLines(outcome: EditOutcome): readonly string[] {
  if (!isPartial(outcome)) return [];
  const hunks = findHunks(outcome);
  let shift = 0;
  const lines = hunks.map(({ beforeStart, removed, added }, at) => {
    const isRejected = outcome.rejected.has(at);
    const there = isRejected ? removed : added;
    const first = beforeStart + shift + 1;
    shift += there.length - removed.length;
    const what = isRejected
      ? `refused, as before: ${placeOf(first, there.length, 'nothing added')}`
      : `accepted: ${placeOf(first, there.length, `${plural(removed.length, 'line')} removed`)}`;
    return `- hunk ${at + 1} of ${hunks.length} ${what}`;
  });
  if (lines.length <= maxHunks) return lines;
  return [...lines.slice(0, maxHunks), `- and ${lines.length - maxHunks} more; read the file to see them`];
}

function placeOf(first: number, count: number, none: string): string {
  if (count === 0) return `${none} at line ${first}`;
  return count === 1 ? `line ${first}` : `lines ${first}-${first + count - 1}`;
}

/** What an editor did while it saved. */
function savingLines({ label, text, stored }: EditOutcome): readonly string[] {
  if (text === stored || text === null) return [];
  const again = 'Read it again before you change more of it.';
  if (stored === null) return [`${label} is not there any more after saving. ${again}`];
  const patch = structuredPatch('', '', text, stored, '', '', { context: 1, maxEditLength: 1_000 });
  const changes = patch?.hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}`,
  );
  const shown =
    changes === undefined ? ' in very many lines.' : `:\n${truncate(changes.join('\n'), maxDiffChars)}`;
  return [`When it was saved, a formatter changed ${label} further${shown}`, again];
}

function problemLines(label: string, problems: readonly FileProblem[]): readonly string[] {
  if (problems.length === 0) return [];
  const shown = problems.slice(0, maxProblems).map(({ severity, line, message, source }) => {
    const by = source === undefined ? '' : ` (${source})`;
    return `- ${severity} at line ${line}: ${truncate(message.replace(/\s+/gu, ' '), 300)}${by}`;
  });
  const more = problems.length > maxProblems ? [`- and ${problems.length - maxProblems} more`] : [];
  return [`New problems in ${label}:`, ...shown, ...more];
}
