import { isRecord } from '../../base/json.ts';

/** What a package.json says about plugin entries: paths inside the package, or what is wrong with it. */
type PackageEntries =
  | { readonly kind: 'none' }
  | { readonly kind: 'entries'; readonly entries: readonly PackageEntry[] }
  | { readonly kind: 'invalid'; readonly message: string };

export interface PackageEntry {
  /** As written in `openclaw.extensions`. */
  readonly path: string;
  /** Its compiled form (`openclaw.runtimeExtensions`), preferred where it exists. */
  readonly runtimePath?: string;
  readonly idHint: string;
  /** Its own part of the id; only where the package has several entries. */
  readonly entryName?: string;
}

const maxEntries = 100;
/** Its name now, and the ones it had before: packages that were not published anew still say those. */
const manifestKeys = ['openclaw', 'moltbot', 'clawdbot'] as const;

/** Reads `openclaw.extensions`. Messages are upstream's. Pure. */
export function planPackageEntries(packageJson: unknown, folderName: string): PackageEntries {
  if (!isRecord(packageJson)) return { kind: 'none' };
  const key = manifestKeys.find((each) => packageJson[each] !== undefined);
  if (key === undefined) return { kind: 'none' };
  const openclaw = packageJson[key];
  if (!isRecord(openclaw)) return invalid('package.json openclaw must be an object');
  if (openclaw['extensions'] === undefined) return { kind: 'none' };
  const extensions = pathsOf(openclaw['extensions'], 'extensions');
  if ('message' in extensions) return extensions;
  const { paths } = extensions;
  if (paths.length === 0) return invalid('package.json openclaw.extensions is empty');
  const compiled =
    openclaw['runtimeExtensions'] === undefined
      ? { paths: [] }
      : pathsOf(openclaw['runtimeExtensions'], 'runtimeExtensions');
  if ('message' in compiled) return compiled;
  if (compiled.paths.length > 0 && compiled.paths.length !== paths.length) {
    const counts = `length (${compiled.paths.length}) must match openclaw.extensions length (${paths.length})`;
    return invalid(`package.json openclaw.runtimeExtensions ${counts}`);
  }
  const twice = paths.map(fileBase).find((base, index, all) => all.indexOf(base) !== index);
  if (twice !== undefined)
    return invalid(`package.json openclaw.extensions has two entries named "${twice}"`);
  const name = unscoped(packageJson['name']) ?? folderName;
  return {
    kind: 'entries',
    entries: paths.map((path, index) => {
      const runtimePath = compiled.paths[index];
      return {
        path,
        ...(runtimePath === undefined ? {} : { runtimePath }),
        ...(paths.length === 1
          ? { idHint: name }
          : { idHint: `${name}/${fileBase(path)}`, entryName: fileBase(path) }),
      };
    }),
  };
}

function pathsOf(
  value: unknown,
  field: string,
): { readonly paths: readonly string[] } | Extract<PackageEntries, { kind: 'invalid' }> {
  if (!Array.isArray(value)) return invalid(`package.json openclaw.${field} must be an array`);
  const paths: readonly unknown[] = value;
  if (paths.length > maxEntries) {
    return invalid(`package.json openclaw.${field} has more than ${maxEntries} entries`);
  }
  const bad = paths.findIndex((path) => !isPath(path));
  return bad === -1
    ? { paths: paths.filter(isPath) }
    : invalid(`package.json openclaw.${field}[${bad}] must be a non-empty string`);
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function invalid(message: string): Extract<PackageEntries, { kind: 'invalid' }> {
  return { kind: 'invalid', message };
}

/** Without scope, and without what upstream's packages have behind the plugin's id. */
function unscoped(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return undefined;
  return name.replace(/^@[^/]*\//u, '').replace(/(?<=.)-(?:provider|plugin)$/u, '');
}

function fileBase(path: string): string {
  const file = path.split(/[\\/]/u).at(-1) ?? path;
  return file.replace(/\.[^.]*$/u, '');
}
