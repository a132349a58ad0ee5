import { z } from 'zod';
import { throwIfAborted } from '../../base/abort.ts';
import { plural } from '../../base/text.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { compileGlob, type GlobMatcher } from '../../base/compileGlob.ts';
import { protectionOf } from '../paths/protectedPaths.ts';
import { labelOf, placeOf, segmentsBelow, type WorkspacePlace } from '../paths/workspaceLayout.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';
import { createLineScanner, type LinePattern, type LineScanner } from './createLineScanner.ts';
import { joinWithin } from './joinWithin.ts';
import { splitLines } from './pageText.ts';
import { requireSamePath, searchRoots, type FoundPath } from './requirePath.ts';
import { pathOf, walkFiles } from './walkFiles.ts';
import type { Clock } from '../../host/ports.ts';
import type { Ripgrep, RipgrepQuery } from './createRipgrep.ts';
import { PincerError } from '../../base/errors.ts';

const maxHits = 200;
const maxMs = 20_000;
/** What of a long line is shown: a little before the hit, the rest after it. */
const shownLine = { before: 60, chars: 300 };

const schema = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe('JavaScript regular expression, matched line by line.'),
  path: z
    .string()
    .optional()
    .describe('Folder or file to search in, relative to the workspace. Without it: all of it.'),
  literal: z.boolean().optional().describe('True takes the pattern as plain text.'),
  ignoreCase: z.boolean().optional(),
  glob: z.string().optional().describe('Only files whose name matches, such as *.ts or docs/**.'),
});

/** `grep`: lines by their text. */
export function createGrepTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'grep',
      label: 'Search',
      description:
        'Searches the lines of text files and gives path:line: text. Skips .git, node_modules, binary files and files that may hold secrets.',
      schema,
      mayWrite: false,
      paths: ({ path }) => [path ?? '.'],
      target: ({ pattern, path }) => `"${pattern}"${path === undefined ? '' : ` in ${path}`}`,
      prepare: async ({ pattern, path, literal = false, ignoreCase = false, glob }) => {
        const query: SearchQuery = { pattern, literal, ignoreCase, glob };
        // Before anything runs: a wrong pattern is the model's to correct.
        const scan = createLineScanner(query);
        const matches = compileGlob(glob ?? '**');
        const starts = await searchRoots(deps, path, 'search');
        return {
          effects: starts.map((start) => ({ kind: 'read', path: start.path })),
          run: ({ signal }) => createSearch(deps, query, scan, matches, signal).run(starts),
        };
      },
    },
    deps.layout,
  );
}

interface SearchQuery extends LinePattern {
  readonly glob: string | undefined;
}

/** Files read at once: waiting for the disk is most of the time. */
const filesAtOnce = 16;

/** One search: collects hits and the reasons for what it left out. */
function createSearch(
  deps: CoreToolDeps,
  query: SearchQuery,
  scan: LineScanner,
  matches: GlobMatcher,
  signal: AbortSignal,
): { run(starts: readonly FoundPath[]): Promise<ToolResult> } {
  const layout = deps.layout();
  const endsAt = deps.clock.monotonic() + maxMs;
  const hits: string[] = [];
  const skips = new Map<SkipReason, number>();
  const skip = (reason: SkipReason): void => void skips.set(reason, (skips.get(reason) ?? 0) + 1);
  const isLate = (): boolean => deps.clock.monotonic() > endsAt;

  async function searchFiles(files: readonly WorkspacePlace[]): Promise<void> {
    throwIfAborted(signal);
    const texts = await Promise.all(
      files.map(async (file) => {
        const read = await readSearchable(deps, pathOf(layout.platform, file), file.root);
        if ('skipped' in read) skip(read.skipped);
        return { label: labelOf(layout, file), lines: 'text' in read ? splitLines(read.text) : [] };
      }),
    );
    // One scan for all of them: its set-up costs more than the lines of a usual file.
    const found = await scan(texts.flatMap(({ lines }) => lines));
    let before = 0;
    for (const { label, lines } of texts) {
      for (const [index, at] of found) {
        if (hits.length > maxHits) return;
        const line = lines[index - before];
        if (line !== undefined) hits.push(`${label}:${index - before + 1}: ${shown(line, at)}`);
      }
      before += lines.length;
    }
  }

  async function searchFolder(folder: FoundPath): Promise<void> {
    const files = walkFiles(deps.fs, layout.platform, folder, signal, () => skip('unreadable'));
    let batch: WorkspacePlace[] = [];
    for await (const file of files) {
      if (hits.length > maxHits || isLate()) return;
      if (!matches(file.segments.slice(folder.segments.length))) continue;
      // A file that is named is asked for by the pipeline; one that is only come across is left out.
      if (protectionOf(file.segments, 'read') === undefined) batch.push(file);
      else skip('may hold secrets');
      if (batch.length < filesAtOnce) continue;
      await searchFiles(batch);
      batch = [];
    }
    await searchFiles(batch);
  }

  /** Whether ripgrep searched the folder; it can't where the pattern is one of JavaScript alone. */
  async function searchFolderByRipgrep(folder: FoundPath): Promise<boolean> {
    if (deps.ripgrep === undefined) return false;
    const found = await ripgrepFolder({ deps, ripgrep: deps.ripgrep, folder, matches, signal }, query, {
      hits: maxHits + 1 - hits.length,
      ms: maxMs,
    });
    if (found === undefined) return false;
    for (const { place, line, text, at } of found)
      hits.push(`${labelOf(layout, place)}:${line}: ${shown(text, at)}`);
    await searchFiles(unsavedBelow(folder));
    return true;
  }

  /** ripgrep sees the disk; what the user has not saved yet is searched as it stands in the editor. */
  function unsavedBelow(folder: FoundPath): readonly WorkspacePlace[] {
    const paths = deps.files.unsavedPaths?.() ?? [];
    return paths
      .filter((path) => segmentsBelow(layout.platform, folder.path, path) !== undefined)
      .flatMap((path) => placeOf(layout, path) ?? [])
      .filter(
        ({ segments }) =>
          matches(segments.slice(folder.segments.length)) && protectionOf(segments, 'read') === undefined,
      );
  }

  return {
    run: async (starts) => {
      for (const start of starts) {
        await requireSamePath(deps, start);
        if (start.stat?.kind === 'file') await searchFiles([start]);
        else if (!(await searchFolderByRipgrep(start))) await searchFolder(start);
      }
      return report(deps, hits, skips, isLate());
    },
  };
}

function report(
  deps: CoreToolDeps,
  hits: readonly string[],
  skips: ReadonlyMap<SkipReason, number>,
  isLate: boolean,
): ToolResult {
  const { text, count } = joinWithin(hits.slice(0, maxHits), deps.maxResultChars - 500);
  const skipped = [...skips].sort().map(([reason, files]) => `${plural(files, 'file')} (${reason})`);
  const notes = [
    ...(count < hits.length ? [`[Only the first ${count} hits. Narrow the pattern, path or glob.]`] : []),
    ...(isLate ? ['[Stopped after 20 seconds. Narrow the path or glob.]'] : []),
    ...(skipped.length > 0 ? [`[Left out: ${skipped.join(', ')}.]`] : []),
  ];
  return textResult([hits.length === 0 ? 'No line matches.' : text, ...notes].join('\n'), {
    count: hits.length,
  });
}

function shown(line: string, at: number): string {
  const start = Math.max(0, at - shownLine.before);
  const part = line.slice(start, start + shownLine.chars);
  return `${start > 0 ? '…' : ''}${part.trim()}${start + shownLine.chars < line.length ? '…' : ''}`;
}

interface FolderSearch {
  readonly deps: CoreToolDeps;
  readonly ripgrep: Ripgrep;
  readonly folder: FoundPath;
  readonly matches: GlobMatcher;
  readonly signal: AbortSignal;
}

interface FolderHit {
  readonly place: WorkspacePlace;
  readonly line: number;
  readonly text: string;
  readonly at: number;
}

/**
 * The hits below a folder, sorted by path, at most `limit.hits`; undefined where ripgrep can't read the pattern. What the
 * search of our own leaves out is left out here too: files that may hold secrets or have a second name. Files with unsaved
 * changes are left to the caller.
 */
async function ripgrepFolder(
  { deps, ripgrep, folder, matches, signal }: FolderSearch,
  query: Pick<RipgrepQuery, 'pattern' | 'literal' | 'ignoreCase' | 'glob'>,
  limit: { readonly hits: number; readonly ms: number },
): Promise<readonly FolderHit[] | undefined> {
  const layout = deps.layout();
  const unsaved = new Set(deps.files.unsavedPaths?.() ?? []);
  const found: (FolderHit & { readonly path: string })[] = [];
  const end = await withinTime(deps.clock, limit.ms, signal, (late) =>
    ripgrep(
      { ...query, path: folder.path, isFile: false, maxFileBytes: maxSearchedBytes },
      (hit) => {
        const place = placeOf(layout, hit.path);
        const isMeant =
          place !== undefined &&
          !unsaved.has(hit.path) &&
          matches(place.segments.slice(folder.segments.length)) &&
          protectionOf(place.segments, 'read') === undefined;
        if (isMeant) found.push({ ...hit, place });
        return found.length < limit.hits;
      },
      late,
    ),
  );
  if (end === 'pattern') return undefined;
  const single = new Set<string>();
  for (const path of new Set(found.map((hit) => hit.path)))
    if ((await deps.fs.lstat(path))?.links === 1) single.add(path);
  return found
    .filter((hit) => single.has(hit.path))
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** What was found in time counts; a search that the user stopped does not. */
async function withinTime<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  search: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'late'> {
  const late = new AbortController();
  const cancel = clock.after(ms, () => late.abort());
  try {
    return await search(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) return 'late';
    throw error;
  } finally {
    cancel();
  }
}

type SkipReason =
  'may hold secrets' | 'too large' | 'no UTF-8 text' | 'stored under a second name' | 'unreadable';

/** Larger files are not searched. */
const maxSearchedBytes = 2_000_000;

/** The text of a file that a search came across, or why it is left out. `path` is absolute and below `root`; nothing there is an empty text. */
async function readSearchable(
  deps: CoreToolDeps,
  path: string,
  root: string,
): Promise<{ readonly text: string } | { readonly skipped: SkipReason }> {
  try {
    const stat = await deps.fs.lstat(path);
    // Replaced by a link or removed since the folder was listed.
    if (stat?.kind !== 'file') return { text: '' };
    if (stat.links > 1) return { skipped: 'stored under a second name' };
    if (stat.size > maxSearchedBytes) return { skipped: 'too large' };
    return { text: (await deps.files.readText(path, root)) ?? '' };
  } catch (error) {
    const isOther = error instanceof PincerError && error.code.startsWith('file_');
    return { skipped: isOther ? 'no UTF-8 text' : 'unreadable' };
  }
}
