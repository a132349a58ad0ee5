import { posix, win32, type PlatformPath } from 'node:path';
import { PincerError } from '../../src/base/errors.ts';

/** What a case says about the disk. */
export interface CaseDiskInput {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** Links: path to target. */
  readonly fs: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

/** A disk that holds every path but what the case says is missing, with its links; names compare as on the platform. */
export interface CaseDisk {
  /** Where a path really lies; undefined where it is missing. @throws PincerError `io_link_loop` */
  find(path: string): string | undefined;
  /** The same with a link at the end left as it is. */
  findEntry(path: string): string | undefined;
  /** True where such an entry is a link. */
  isLink(entry: string): boolean;
  /** For a port: a missing path rejects. @throws PincerError `io_not_found`, `io_link_loop` */
  realpath(path: string): Promise<string>;
}

const maxLinks = 40;

export function createCaseDisk({ platform, fs, missing }: CaseDiskInput): CaseDisk {
  const rules: PlatformPath = platform === 'win32' ? win32 : posix;
  const ignoresCase = platform !== 'linux';
  // The cases of Windows write their links as `C:\…` or as the other platforms do.
  const fold = (path: string): string => {
    const normal = rules.normalize(/^[\\/](?![\\/])/u.test(path) && rules === win32 ? `C:${path}` : path);
    const name = normal.length > rules.parse(normal).root.length ? normal.replace(/[\\/]$/u, '') : normal;
    return ignoresCase ? name.normalize('NFC').toLowerCase() : name;
  };
  const links = new Map(Object.entries(fs).map(([from, to]) => [fold(from), to]));
  const gone = new Set(missing.map(fold));
  const namesOf = (path: string): string[] =>
    path
      .slice(rules.parse(path).root.length)
      .split(rules === win32 ? /[\\/]/u : '/')
      .filter((name) => name !== '' && name !== '.');

  const walk = (path: string, followsLast: boolean): string | undefined => {
    let at = rules.parse(path).root;
    let left = namesOf(path);
    let followed = 0;
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const next = name === '..' ? rules.dirname(at) : rules.join(at, name);
      if (gone.has(fold(next))) return undefined;
      const target = links.get(fold(next));
      if (target === undefined || (!followsLast && left.length === 0)) at = next;
      else {
        followed += 1;
        if (followed > maxLinks) throw new PincerError('io_link_loop', `${next} leads to itself.`);
        left = [...namesOf(target), ...left];
        if (rules.isAbsolute(target)) at = rules.parse(target).root;
      }
    }
    return at;
  };

  return {
    find: (path) => walk(path, true),
    findEntry: (path) => walk(path, false),
    isLink: (entry) => links.has(fold(entry)),
    realpath: (path) => {
      try {
        const real = walk(path, true);
        if (real !== undefined) return Promise.resolve(real);
        return Promise.reject(new PincerError('io_not_found', `There is no ${path}.`));
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}
