import type { Clock } from '../../host/ports.ts';
import type { GlobMatcher } from '../../base/compileGlob.ts';
import { protectionOf } from '../paths/protectedPaths.ts';
import { placeOf, type WorkspacePlace } from '../paths/workspaceLayout.ts';
import type { CoreToolDeps } from './coreTool.ts';
import type { Ripgrep, RipgrepQuery } from './createRipgrep.ts';
import { maxSearchedBytes } from './readSearchable.ts';
import type { FoundPath } from './requirePath.ts';

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
export async function ripgrepFolder(
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
