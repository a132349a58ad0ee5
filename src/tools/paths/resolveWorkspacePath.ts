// Threat: a name inside the workspace that leads out of it on disk: a link to a key, a link whose target does not exist
// yet, `..` behind a link, a second hard link to a file elsewhere, a pipe or device that blocks whoever opens it. The text
// of a path proves nothing; every decision is made again about the place that it really is.
import { PincerError } from '../../base/errors.ts';
import type { CheckedPath } from '../../checkpoints/checkpoints.ts';
import type { FileStat, FileSystem } from '../../host/ports.ts';
import { decidePath, dotDotFolders, judge, type PathOp, type PathVerdict } from './decidePath.ts';
import type { PathFault } from './findPathFault.ts';
import { flavourOf, placeOf, segmentsBelow, type WorkspaceLayout } from './workspaceLayout.ts';

export interface PathDeps {
  readonly fs: FileSystem;
  readonly layout: WorkspaceLayout;
}

/** A verdict whose path is the real place: links are followed, and it is written below the folder the user opened. */
export type ResolvedPath = PathVerdict & { readonly stat?: FileStat | undefined };

/**
 * Decides about a path by its text and then by the disk. `stat` is missing where nothing is there yet.
 * Rejects only where the disk itself fails.
 */
export async function resolveWorkspacePath(deps: PathDeps, input: string, op: PathOp): Promise<ResolvedPath> {
  const lexical = decidePath(deps.layout, input, op);
  if (lexical.kind === 'block') return lexical;
  for (const folder of dotDotFolders(deps.layout, input)) {
    if (!(await isWithoutLinks(deps, folder)))
      return blocked(linkFault(lexical.label, 'has ".." behind a link'));
  }
  const real = await followLinks(deps, lexical.path);
  if (typeof real !== 'string') return blocked(linkFault(lexical.label, real.why));
  const place = await placeOnDisk(deps, real);
  if (place === undefined) return blocked(linkFault(lexical.label, 'leads out of the workspace'));
  const verdict = judge(deps.layout, place, op);
  if (verdict.kind === 'block') return verdict;
  if (lexical.kind === 'ask' && verdict.kind === 'allow') {
    return blocked({
      code: 'path_protected_link',
      reason: `${lexical.label} is protected (${lexical.protection}) and only a link to ${verdict.label}.`,
      hint: `Use ${verdict.label} itself.`,
    });
  }
  const stat = await deps.fs.lstat(verdict.path);
  const found = findKindFault(verdict.label, stat, op);
  return found === undefined ? { ...verdict, stat } : blocked(found);
}

/** Where a path really is, also where its last names do not exist yet. */
async function followLinks(deps: PathDeps, path: string): Promise<string | { readonly why: string }> {
  try {
    const { existing, missing, isLink } = await splitMissing(deps, path);
    const real = await realpathOrNothing(deps.fs, existing);
    // Writing through a dangling link would make its target, wherever that is.
    if (real === undefined) return { why: isLink ? 'is a link to nothing' : 'has just been removed' };
    const isFolder = (await deps.fs.lstat(real))?.kind === 'directory';
    if (missing.length > 0 && !isFolder) return { why: 'goes on behind a file' };
    return flavourOf(deps.layout.platform).join(real, ...missing);
  } catch (error) {
    if (isCode(error, 'io_link_loop')) return { why: 'leads through a link to itself' };
    throw error;
  }
}

/** The longest part of a path that is there, and the names behind it. A dangling link is there. */
async function splitMissing(
  { fs, layout }: PathDeps,
  path: string,
): Promise<{ readonly existing: string; readonly missing: readonly string[]; readonly isLink: boolean }> {
  const { root } = flavourOf(layout.platform).parse(path);
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    const stat = await fs.lstat(existing);
    if (stat !== undefined || existing === root)
      return { existing, missing, isLink: stat?.kind === 'symlink' };
    const { dir, base } = flavourOf(layout.platform).parse(existing);
    missing.unshift(base);
    existing = dir;
  }
}

async function realpathOrNothing(fs: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (isCode(error, 'io_not_found')) return undefined;
    throw error;
  }
}

/** A real path as one below a folder that the user opened; that folder may itself be reached through a link. */
async function placeOnDisk({ fs, layout }: PathDeps, real: string): Promise<string | undefined> {
  const rules = flavourOf(layout.platform);
  const found: { readonly path: string; readonly depth: number }[] = [];
  for (const root of layout.roots) {
    const below = segmentsBelow(layout.platform, await fs.realpath(root), real);
    if (below !== undefined) found.push({ path: rules.join(root, ...below), depth: below.length });
  }
  return found.sort((a, b) => a.depth - b.depth)[0]?.path;
}

async function isWithoutLinks(deps: PathDeps, folder: string): Promise<boolean> {
  const real = await followLinks(deps, folder);
  if (typeof real !== 'string') return false;
  if (placeOf(deps.layout, folder) === undefined) return real === folder;
  return (await placeOnDisk(deps, real)) === folder;
}

function findKindFault(label: string, stat: FileStat | undefined, op: PathOp): PathFault | undefined {
  if (stat === undefined) {
    if (op === 'write') return undefined;
    return { code: 'path_not_found', reason: `There is no ${label}.`, hint: 'Look with ls or glob.' };
  }
  if (stat.kind === 'directory') {
    if (op === 'list' || op === 'search') return undefined;
    return {
      code: 'path_is_folder',
      reason: `${label} is a folder.`,
      hint: 'Name a file in it, or list it with ls.',
    };
  }
  if (stat.kind !== 'file') {
    return {
      code: 'path_not_a_file',
      reason: `${label} is a pipe, socket or device.`,
      hint: 'Only files can be used.',
    };
  }
  if (op === 'list') {
    return { code: 'path_not_a_folder', reason: `${label} is a file.`, hint: 'Read it with read.' };
  }
  if (stat.links > 1) {
    return {
      code: 'path_hard_link',
      reason: `${label} is stored under a second name too, which may lie outside the workspace.`,
      hint: 'Ask the user to copy the file if it is needed.',
    };
  }
  // Replacing a file by a rename would not stop at this, the user who set it would expect it to.
  if (op === 'write' && stat.mode !== undefined && (stat.mode & 0o222) === 0) {
    return {
      code: 'path_read_only',
      reason: `${label} is read-only.`,
      hint: 'Ask the user to make it writable.',
    };
  }
  return undefined;
}

function linkFault(label: string, why: string): PathFault {
  return {
    code: 'path_link',
    reason: `${label} ${why}.`,
    hint: 'Only files that really lie in the workspace can be used.',
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof PincerError && error.code === code;
}

function blocked(found: PathFault): PathVerdict {
  return { kind: 'block', ...found };
}

/**
 * Whether a file that a tool has changed may be written again: by the same rules, and only where it really lay then. A protected
 * place is allowed, since the user asked for this very file when they restore it, and recovery only brings back what was there.
 */
export function createPathCheck(deps: () => PathDeps): (path: string) => Promise<CheckedPath> {
  return async (path) => {
    const current = deps();
    const verdict = await resolveWorkspacePath(current, path, 'write');
    if (verdict.kind === 'block') return { kind: 'refused', reason: verdict.reason };
    const place = placeOf(current.layout, verdict.path);
    if (verdict.path !== path || place === undefined)
      return { kind: 'refused', reason: `${verdict.label} is a link or lies behind one by now.` };
    return { kind: 'allowed', place: { root: place.root, path }, label: verdict.label };
  };
}
