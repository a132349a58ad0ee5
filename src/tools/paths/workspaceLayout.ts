import { posix, win32, type PlatformPath } from 'node:path';

/** The folders that tools may touch. Read again for each call, since folders come and go. */
export interface WorkspaceLayout {
  /** Absolute paths of the workspace folders, in the user's order. */
  readonly roots: readonly string[];
  /** Whose path rules hold; tests run the Windows rules on Linux. */
  readonly platform: NodeJS.Platform;
}

/** The path rules of a platform, whatever the one this runs on. */
export function flavourOf(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** A place below a workspace folder. */
export interface WorkspacePlace {
  readonly root: string;
  /** Names below the root; none for the root itself. */
  readonly segments: readonly string[];
}

/** Where an absolute, normalised path lies; the innermost folder wins, undefined outside of all. */
export function placeOf(layout: WorkspaceLayout, path: string): WorkspacePlace | undefined {
  const places = layout.roots
    .map((root) => ({ root, segments: segmentsBelow(layout.platform, root, path) }))
    .filter((place): place is WorkspacePlace => place.segments !== undefined);
  return places.sort((a, b) => a.segments.length - b.segments.length)[0];
}

/** The names that lead from `folder` to `path`, or undefined where `path` is not in it. Whole names are compared, never prefixes. */
export function segmentsBelow(
  platform: NodeJS.Platform,
  folder: string,
  path: string,
): readonly string[] | undefined {
  const from = splitPath(platform, folder);
  const to = splitPath(platform, path);
  const inside = from.every((name, at) => to[at] !== undefined && sameName(platform, name, to[at]));
  return inside ? to.slice(from.length) : undefined;
}

/** The drive, share or `/` first, then the names. */
function splitPath(platform: NodeJS.Platform, path: string): string[] {
  const rules = flavourOf(platform);
  const normal = rules.normalize(path);
  const { root } = rules.parse(normal);
  const names = normal.slice(root.length).split(rules.sep);
  return [root, ...names.filter((name) => name !== '')];
}

/** Windows and macOS volumes usually ignore case, and macOS ignores how accents are composed. */
function sameName(platform: NodeJS.Platform, a: string, b: string): boolean {
  if (a === b) return true;
  if (platform !== 'win32' && platform !== 'darwin') return false;
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
}

/**
 * A place as people and models read it, with forward slashes; `.` for the only folder itself. With several folders the
 * folder's name leads, and `decidePath` reads it back the same way.
 */
export function labelOf(layout: WorkspaceLayout, place: WorkspacePlace): string {
  const names = [...place.segments];
  if (layout.roots.length > 1) {
    const name = rootName(layout, place.root);
    // A second folder of the same name can only be told apart by its whole path.
    if (rootByName(layout, name) !== place.root) return [place.root, ...names].join('/');
    names.unshift(name);
  }
  return names.length === 0 ? '.' : names.join('/');
}

/** The workspace folder of that name, as it stands first in a relative path when several folders are open. */
export function rootByName(layout: WorkspaceLayout, name: string): string | undefined {
  return layout.roots.find((root) => sameName(layout.platform, rootName(layout, root), name));
}

function rootName(layout: WorkspaceLayout, root: string): string {
  return flavourOf(layout.platform).basename(root);
}
