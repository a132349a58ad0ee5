import { PincerError } from '../../base/errors.ts';
import type { FileStat } from '../../host/ports.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { decidePath, type PathOp, type WorkspacePath } from '../paths/decidePath.ts';
import { resolveWorkspacePath } from '../paths/resolveWorkspacePath.ts';
import { flavourOf, labelOf } from '../paths/workspaceLayout.ts';
import type { CoreToolDeps } from './coreTool.ts';

/** What judging a path needs. */
type PathToolDeps = Pick<CoreToolDeps, 'fs' | 'layout'>;

export interface FoundPath extends WorkspacePath {
  /** What the model wrote, for looking again. */
  readonly input: string;
  readonly op: PathOp;
  /** Undefined where nothing is there yet. */
  readonly stat: FileStat | undefined;
}

/**
 * A path that a tool may use. Whether a person must agree first is the pipeline's business.
 * @throws PincerError `path_*`, `no_workspace`: written for the model
 */
export async function requirePath(deps: PathToolDeps, input: string, op: PathOp): Promise<FoundPath> {
  const verdict = await resolveWorkspacePath({ fs: deps.fs, layout: deps.layout() }, input, op);
  if (verdict.kind !== 'block') {
    const { path, root, segments, label, stat } = verdict;
    return { path, root, segments, label, stat, input, op };
  }
  const similar = verdict.code === 'path_not_found' ? await similarNames(deps, input) : [];
  const hint = similar.length === 0 ? verdict.hint : `Did you mean ${similar.join(' or ')}?`;
  throw new PincerError(verdict.code, verdict.reason, { hint });
}

/**
 * Looks again right before a file is touched: between the decision and now somebody may have put a link in its place.
 * @throws PincerError `path_moved`, or what now speaks against the path
 */
export async function requireSamePath(deps: PathToolDeps, found: FoundPath): Promise<void> {
  const now = await requirePath(deps, found.input, found.op);
  if (now.path === found.path) return;
  throw new PincerError('path_moved', `${found.label} has become a link to ${now.label} in the meantime.`, {
    hint: 'Look at the folder before you try again.',
  });
}

/** The folder or file that a search starts from; without a path, every workspace folder. */
export async function searchRoots(
  deps: PathToolDeps,
  path: string | undefined,
  op: 'list' | 'search',
): Promise<readonly FoundPath[]> {
  if (path !== undefined) return [await requirePath(deps, path, op)];
  const layout = deps.layout();
  if (layout.roots.length === 0) return [await requirePath(deps, '.', op)];
  const labels = layout.roots.map((root) => labelOf(layout, { root, segments: [] }));
  return await Promise.all(labels.map((label) => requirePath(deps, label, op)));
}

/** Labels of what is in the same folder under a similar name. */
async function similarNames(deps: PathToolDeps, input: string): Promise<readonly string[]> {
  const layout = deps.layout();
  const rules = flavourOf(layout.platform);
  const verdict = decidePath(layout, input, 'list');
  if (verdict.kind === 'block') return [];
  const folder = rules.dirname(verdict.path);
  if ((await deps.fs.stat(folder))?.kind !== 'directory') return [];
  const names = (await deps.fs.readDirectory(folder)).slice(0, 1_000).map((entry) => entry.name);
  const wanted = rules.basename(verdict.path);
  const above = verdict.label.slice(0, verdict.label.length - wanted.length);
  return nearestFirst(wanted, names)
    .slice(0, 2)
    .map((name) => above + name);
}
