import { throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { placeholdersIn } from '../../base/secrets/placeholders.ts';
import { withoutHunks } from '../../approvals/hunks.ts';
import type { ToolCall, PreparedCall, RejectedHunks, ToolResult } from '../../contracts/tool.ts';
import { newProblems, type FileProblem } from '../problemSource.ts';
import { settleAll } from '../settleAll.ts';
import type { AppliedChange, TextChange } from '../workspaceFiles.ts';
import { textResult, type CoreToolDeps } from './coreTool.ts';
import { describeEdit, type EditOutcome } from './describeEdit.ts';
import { requireSamePath, type FoundPath } from './requirePath.ts';

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
