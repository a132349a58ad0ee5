import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { settleAll } from '../settleAll.ts';
import { createCoreTool, type CoreToolDeps } from './coreTool.ts';
import { parsePatch, type FilePatch, type UpdatePatch } from './parsePatch.ts';
import { planOrAsk } from './planOrAsk.ts';
import { planPatch } from './planPatch.ts';
import { prepareEdit, type PlannedChange } from './prepareEdit.ts';
import { requirePath, type FoundPath } from './requirePath.ts';

const schema = z.strictObject({
  input: z
    .string()
    .describe(
      'The patch: "*** Begin Patch", then a section for each file, then "*** End Patch". "*** Add File: path" with lines that begin with "+"; "*** Delete File: path"; or "*** Update File: path", if it moves "*** Move to: path", and its changes: "@@" or "@@ a line that comes before", then lines that begin with " " (kept), "-" (removed) or "+" (added), and "*** End of File" where they are the last ones.',
    ),
});

/** `apply_patch`: changes, makes, deletes and moves several files, all of them or none. */
export function createApplyPatchTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'apply_patch',
      label: 'Apply patch',
      description:
        'Changes, makes, deletes and moves text files by one patch: all of it or nothing. Keep about three unchanged lines around each change. The user sees the changes and may refuse some.',
      schema,
      mayWrite: true,
      paths: ({ input }) => pathsOf(input),
      prepare: async ({ input }, call) => {
        const patches = parsePatch(input);
        const found = await settleAll(patches, (patch) => findFiles(deps, patch));
        requireOnce(found);
        return await planOrAsk(
          found.map(({ file }) => file),
          async () => {
            const planned = await settleAll(found, (each) => planFile(deps, each));
            return prepareEdit(
              deps,
              call,
              planned.flatMap(({ changes }) => changes),
              planned.flatMap(({ notes }) => notes),
            );
          },
        );
      },
    },
    deps.layout,
  );
}

/** As the model wrote them; none where the patch can't be read. */
function pathsOf(input: string): readonly string[] {
  try {
    return parsePatch(input).flatMap((patch) => {
      const moveTo = patch.kind === 'update' ? patch.moveTo : undefined;
      return moveTo === undefined ? [patch.path] : [patch.path, moveTo];
    });
  } catch (error) {
    if (error instanceof PincerError) return [];
    throw error;
  }
}

/** A section of the patch and the files it names. */
interface FoundPatch {
  readonly patch: FilePatch;
  readonly file: FoundPath;
  readonly target?: FoundPath;
}

async function findFiles(deps: CoreToolDeps, patch: FilePatch): Promise<FoundPatch> {
  const file = await atLine(patch, () => requirePath(deps, patch.path, 'write'));
  const moveTo = patch.kind === 'update' ? patch.moveTo : undefined;
  if (moveTo === undefined) return { patch, file };
  return { patch, file, target: await atLine(patch, () => requirePath(deps, moveTo, 'write')) };
}

/** Two sections about one file would each be planned against the text before both. */
function requireOnce(found: readonly FoundPatch[]): void {
  const lines = new Map<string, number>();
  for (const { patch, file, target } of found) {
    for (const { path, label } of target === undefined ? [file] : [file, target]) {
      const first = lines.get(path);
      if (first !== undefined) {
        throw new PincerError(
          'patch_duplicate',
          `Line ${patch.line} of the patch: ${label} occurs already at line ${first}; nothing was written.`,
          { hint: 'Put all changes of a file into one section, and name a file only once.' },
        );
      }
      lines.set(path, patch.line);
    }
  }
}

interface PlannedFile {
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
}

async function planFile(deps: CoreToolDeps, { patch, file, target }: FoundPatch): Promise<PlannedFile> {
  if (patch.kind === 'add') {
    requireFree(patch, file, 'Change it with "*** Update File", or delete it first.');
    return { changes: [{ file, before: null, after: patch.text }], notes: [] };
  }
  const before = await atLine(patch, () => readThere(deps, file));
  if (patch.kind === 'delete') return { changes: [{ file, before, after: null }], notes: [] };
  const { text, notes } = planUpdate(patch, file, before);
  if (target === undefined) return { changes: [{ file, before, after: text }], notes };
  requireFree(patch, target, 'Move it to another name, or delete that file first.');
  const moved: PlannedChange = { file: target, before: null, after: text, movedFrom: file };
  return { changes: [moved, { file, before, after: null }], notes };
}

async function readThere(deps: CoreToolDeps, file: FoundPath): Promise<string> {
  const text = await deps.files.readText(file.path, file.root);
  if (text !== undefined) return text;
  // Says so, and which names are similar.
  await requirePath(deps, file.input, 'read');
  throw new PincerError('path_not_found', `There is no ${file.label}.`);
}

function planUpdate(
  { chunks }: UpdatePatch,
  { label }: FoundPath,
  before: string,
): { readonly text: string; readonly notes: readonly string[] } {
  const { text, tolerances } = planPatch(before, chunks, label);
  const notes = tolerances.map(
    ({ line, ignored }) =>
      `The place at line ${line} of ${label} is not exactly as in the patch; it was found by looking past ${ignored}.`,
  );
  return { text, notes };
}

function requireFree({ line }: FilePatch, { stat, label }: FoundPath, hint: string): void {
  if (stat === undefined) return;
  throw new PincerError(
    'patch_exists',
    `Line ${line} of the patch: ${label} already exists; nothing was written.`,
    { hint },
  );
}

/** Errors about a file say which section of the patch named it. */
async function atLine<T>({ line }: FilePatch, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    const { code, message, hint } = error;
    throw new PincerError(code, `Line ${line} of the patch: ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}
