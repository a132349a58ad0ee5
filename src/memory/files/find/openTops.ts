import { basename, join } from 'node:path';
import { PincerError } from '../../../base/errors.ts';
import type { Diagnostic } from '../../../contracts/diagnostic.ts';
import type { FileStat, FileSystem } from '../../../host/ports.ts';
import { compileFileRules } from './compileFileRules.ts';
import { extraPathMissing, pathsUnreadable, rootMissing } from './errors.ts';
import type { Top } from './fileTree.ts';
import type { FindContext } from './findContext.ts';
import { foldsCase, namesBelow, pathKey } from './pathKeys.ts';

/** A file that the user's config names itself. */
export interface NamedFile {
  readonly path: string;
  readonly realPath: string;
  readonly label: string;
}

export interface Tops {
  /** Those of the workspace first. */
  readonly folders: readonly Top[];
  readonly files: readonly NamedFile[];
  /** Keys of real paths that no walk enters from above: other roots, which are walked by themselves, and Pincer's own folders. */
  readonly closed: ReadonlySet<string>;
}

interface Place {
  readonly path: string;
  readonly realPath: string;
  readonly kind: FileStat['kind'];
}

/**
 * Finds out what the roots and extra paths of the settings are. The only links that are followed are those in these paths, since
 * the user has named them. A file or folder that is named twice counts once.
 */
export async function openTops(
  { fs, platform, settings, stateFolders }: FindContext,
  report: (diagnostic: Diagnostic) => void,
): Promise<Tops> {
  const isCaseSensitive = !foldsCase(platform);
  const seen = new Set<string>();
  const isNew = ({ realPath }: Place): boolean => {
    const key = pathKey(realPath, platform);
    return !seen.has(key) && seen.add(key).size > 0;
  };
  const named = new Set<string>();
  const several = settings.roots.length > 1;

  const roots: Top[] = [];
  for (const { path, name, include, exclude } of settings.roots) {
    const place = await lookAt(fs, path, rootMissing, report);
    if (place === undefined || !isNew(place)) continue;
    if (place.kind !== 'directory') {
      report(rootMissing(path));
      continue;
    }
    const globs = {
      include: include ?? settings.include,
      isOnlyMarkdown: include !== undefined,
      exclude: settings.exclude,
      topExclude: exclude,
    };
    const rules = compileFileRules({ ...globs, isCaseSensitive, report });
    const label = several ? `${await labelOf(fs, { name, path }, named, undefined)}/` : '';
    roots.push({ ...place, label, isRoot: true, isCaseSensitive, rules });
  }

  const extras: Top[] = [];
  const files: NamedFile[] = [];
  for (const path of settings.extraPaths) {
    const place = await lookAt(fs, path, extraPathMissing, report);
    if (place === undefined || !isNew(place)) continue;
    const bare = several ? undefined : roots[0];
    const called = calledWithin(roots, place.realPath, platform) ?? {
      path,
      label: await labelOf(fs, { name: basename(path), path }, named, bare),
    };
    if (place.kind === 'directory') {
      const globs = {
        include: ['**/*.md'],
        isOnlyMarkdown: true,
        exclude: settings.exclude,
        topExclude: [],
      };
      const rules = compileFileRules({ ...globs, isCaseSensitive, report: () => undefined });
      extras.push({ ...place, ...called, label: `${called.label}/`, isRoot: false, isCaseSensitive, rules });
    } else if (place.kind === 'file') files.push({ ...place, ...called });
    else report(extraPathMissing(path));
  }

  const closed = new Set(roots.map((root) => pathKey(root.realPath, platform)));
  for (const path of stateFolders) {
    const place = await lookAt(fs, path, undefined, report);
    closed.add(pathKey(place?.realPath ?? path, platform));
  }
  return { folders: [...roots, ...extras], files, closed };
}

async function lookAt(
  fs: FileSystem,
  path: string,
  missing: ((path: string) => Diagnostic) | undefined,
  report: (diagnostic: Diagnostic) => void,
): Promise<Place | undefined> {
  try {
    const realPath = await fs.realpath(path);
    const stat = await fs.lstat(realPath);
    if (stat !== undefined) return { path, realPath, kind: stat.kind };
    if (missing !== undefined) report(missing(path));
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    if (error.code !== 'io_not_found') report(pathsUnreadable([path], error.message));
    else if (missing !== undefined) report(missing(path));
  }
  return undefined;
}

/** What lies in a root is called as the root calls it; by the innermost, where there are several. */
function calledWithin(
  roots: readonly Top[],
  realPath: string,
  platform: NodeJS.Platform,
): { readonly path: string; readonly label: string } | undefined {
  const inside = roots.flatMap((root) => {
    const names = namesBelow(root.realPath, realPath, platform);
    return names === undefined ? [] : [{ root, names }];
  });
  const [inner] = inside.sort((a, b) => a.names.length - b.names.length);
  if (inner === undefined) return undefined;
  return { path: join(inner.root.path, ...inner.names), label: inner.root.label + inner.names.join('/') };
}

/**
 * A name that no other top has, and nothing in the root whose files stand without one, so that no two files are cited alike; else
 * the path.
 */
async function labelOf(
  fs: FileSystem,
  { name, path }: { readonly name: string; readonly path: string },
  taken: Set<string>,
  bare: Top | undefined,
): Promise<string> {
  const isFree =
    !taken.has(name) && (bare === undefined || (await fs.lstat(join(bare.path, name))) === undefined);
  const label = isFree ? name : path.replaceAll('\\', '/');
  taken.add(label);
  return label;
}
