import { throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { placeholdersIn } from '../../base/secrets/placeholders.ts';
import { withoutHunks, findHunks } from '../../approvals/hunks.ts';
import type { ToolCall, PreparedCall, RejectedHunks, ToolResult } from '../../contracts/tool.ts';
import { newProblems, type FileProblem } from '../problemSource.ts';
import { settleAll } from '../settleAll.ts';
import type { AppliedChange, TextChange } from '../workspaceFiles.ts';
import { textResult, type CoreToolDeps } from './coreTool.ts';
import { requireSamePath, type FoundPath } from './requirePath.ts';
import { structuredPatch } from 'diff';
import { countLineChanges } from '../../approvals/countLineChanges.ts';
import { plural, truncate } from '../../base/text.ts';

/** A change of one file; null where there is no file. */
export interface PlannedChange {
  readonly file: FoundPath;
  readonly before: string | null;
  readonly after: string | null;
  /** The file that is moved here; its deletion is a change of its own. */
  readonly movedFrom?: FoundPath;
}

/** Language services need their time for each file; beyond this many nobody waits for them. */
const maxFilesWithProblems = 10;

const nothing: ReadonlySet<number> = new Set();

/**
 * Changes of files as a prepared call, one effect each. All are made or none, only while the files are still where and what
 * they were when the user saw the changes, and less the hunks that the user refused.
 *
 * @param notes what the model has to know besides, one line each
 */
export function prepareEdit(
  deps: CoreToolDeps,
  call: ToolCall,
  planned: readonly PlannedChange[],
  notes: readonly string[] = [],
): PreparedCall {
  const changes = planned.filter(({ before, after }) => before !== after);
  refusePlaceholders(changes);
  if (changes.length === 0) {
    const labels = planned.map(({ file }) => file.label).join(', ');
    return {
      effects: planned.map(({ file }) => ({ kind: 'read', path: file.path })),
      run: () => Promise.resolve(textResult(`${labels} already has exactly this content.`)),
    };
  }
  return {
    effects: changes.map(({ file: { path, label }, before, after }) => ({
      kind: 'edit',
      edit: { path, label, before, after },
    })),
    run: async ({ signal, rejected }) => {
      const accepted = acceptChanges(changes, rejected);
      const wanted = accepted.filter(({ change, text }) => text !== change.before);
      await settleAll(wanted, ({ change }) => requireSamePath(deps, change.file));
      const old = wanted.filter(({ change }) => change.before !== null);
      const problems = await problemsOf(deps, old);
      throwIfAborted(signal);
      const applied = wanted.length === 0 ? [] : await deps.files.apply(wanted.map(toTextChange), call);
      const found = await problemsOf(deps, wanted);
      return toResult(accepted, applied, notes, newOnes(problems, found));
    },
  };
}

/** Threat: the model was not shown a secret, and writes what stands for it over the secret itself. */
function refusePlaceholders(changes: readonly PlannedChange[]): void {
  const count = (side: 'before' | 'after'): number =>
    changes.reduce((sum, change) => sum + placeholdersIn(change[side] ?? '').length, 0);
  if (count('after') <= count('before')) return;
  const mark = changes.flatMap(({ after }) => placeholdersIn(after ?? '')).at(-1) ?? '';
  throw new PincerError(
    'edit_placeholder',
    `The text holds ${mark}, which stands for a secret that you were not shown.`,
    {
      hint: 'Leave the line with the secret as it is, or read the value from the environment.',
    },
  );
}

/** A change and what is left of it. */
interface AcceptedChange {
  readonly change: PlannedChange;
  readonly rejected: ReadonlySet<number>;
  readonly text: string | null;
}

/** A file whose new place was refused is not taken away from the old one. */
function acceptChanges(
  changes: readonly PlannedChange[],
  rejected: RejectedHunks,
): readonly AcceptedChange[] {
  const accepted = changes.map((change, at): AcceptedChange => {
    const ofChange = rejected.get(at) ?? nothing;
    return { change, rejected: ofChange, text: withoutHunks(change, ofChange) };
  });
  const staying = accepted.flatMap(({ change, text }) =>
    change.movedFrom !== undefined && text === null ? [change.movedFrom.path] : [],
  );
  return accepted.map((each) =>
    staying.includes(each.change.file.path) ? { ...each, text: each.change.before } : each,
  );
}

function toTextChange({ change: { file, before, movedFrom }, text }: AcceptedChange): TextChange {
  const { path, root } = file;
  return {
    path,
    root,
    before,
    after: text,
    ...(movedFrom === undefined ? {} : { like: movedFrom.path }),
  };
}

type ProblemsByPath = ReadonlyMap<string, readonly FileProblem[]>;

async function problemsOf(
  { problems }: CoreToolDeps,
  changes: readonly AcceptedChange[],
): Promise<ProblemsByPath> {
  const there = changes.filter(({ text }) => text !== null);
  if (problems === undefined || there.length > maxFilesWithProblems) return new Map();
  return new Map(
    await settleAll(there, async ({ change: { file } }) => {
      return [file.path, await problems.problemsOf(file.path)] as const;
    }),
  );
}

function newOnes(before: ProblemsByPath, after: ProblemsByPath): ProblemsByPath {
  return new Map([...after].map(([path, found]) => [path, newProblems(before.get(path) ?? [], found)]));
}

function toResult(
  accepted: readonly AcceptedChange[],
  applied: readonly AppliedChange[],
  notes: readonly string[],
  problems: ProblemsByPath,
): ToolResult {
  const stored = new Map(applied.map(({ path, text }) => [path, text]));
  const movedTo = new Map(
    accepted.flatMap(({ change: { file, movedFrom } }) =>
      movedFrom === undefined ? [] : [[movedFrom.path, file.label] as const],
    ),
  );
  const outcomes = accepted.map(({ change, rejected, text }): EditOutcome => {
    const { path, label } = change.file;
    const to = movedTo.get(path);
    return {
      label,
      path,
      before: change.before,
      after: change.after,
      rejected,
      text,
      stored: stored.has(path) ? (stored.get(path) ?? null) : text,
      problems: problems.get(path) ?? [],
      ...(to === undefined ? {} : { movedTo: to }),
      ...(change.movedFrom === undefined ? {} : { movedFrom: change.movedFrom.label }),
    };
  });
  return describeEdit(outcomes, notes);
}

/** What became of the change of one file; null where there is no file. */
interface EditOutcome {
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
function describeEdit(outcomes: readonly EditOutcome[], notes: readonly string[]): ToolResult {
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
