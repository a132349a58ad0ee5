import { isRecord } from '../../base/json.ts';

/** What a package.json says about plugin entries: paths inside the package, or what is wrong with it. */
export type PackageEntries =
  | { readonly kind: 'none' }
  | { readonly kind: 'entries'; readonly entries: readonly PackageEntry[] }
  | { readonly kind: 'invalid'; readonly message: string };

export interface PackageEntry {
  /** As written in `openclaw.extensions`. */
  readonly path: string;
  /** Its compiled form (`openclaw.runtimeExtensions`), preferred where it exists. */
  readonly runtimePath?: string;
  readonly idHint: string;
}

/** Reads `openclaw.extensions`. Messages are upstream's. */
export function planPackageEntries(packageJson: unknown, folderName: string): PackageEntries {
  if (!isRecord(packageJson) || packageJson['openclaw'] === undefined) return { kind: 'none' };
  const { openclaw } = packageJson;
  if (!isRecord(openclaw)) return invalid('package.json openclaw must be an object');
  const { extensions, runtimeExtensions } = openclaw;
  if (extensions === undefined) return { kind: 'none' };
  if (!Array.isArray(extensions)) return invalid('package.json openclaw.extensions must be an array');
  const paths: readonly unknown[] = extensions;
  if (paths.length === 0) return invalid('package.json openclaw.extensions is empty');
  const bad = paths.findIndex((path) => typeof path !== 'string' || path.trim() === '');
  if (bad !== -1) {
    return invalid(`package.json openclaw.extensions[${String(bad)}] must be a non-empty string`);
  }
  const compiled: readonly unknown[] = Array.isArray(runtimeExtensions) ? runtimeExtensions : [];
  if (compiled.length > 0 && compiled.length !== paths.length) {
    const counts = `length (${String(compiled.length)}) must match openclaw.extensions length (${String(paths.length)})`;
    return invalid(`package.json openclaw.runtimeExtensions ${counts}`);
  }
  const name = unscoped(packageJson['name']) ?? folderName;
  return {
    kind: 'entries',
    entries: (paths as readonly string[]).map((path, index) => {
      const runtimePath = compiled[index];
      return {
        path,
        ...(typeof runtimePath === 'string' ? { runtimePath } : {}),
        idHint: paths.length === 1 ? name : `${name}/${fileBase(path)}`,
      };
    }),
  };
}

function invalid(message: string): PackageEntries {
  return { kind: 'invalid', message };
}

function unscoped(name: unknown): string | undefined {
  return typeof name === 'string' && name !== '' ? name.replace(/^@[^/]*\//u, '') : undefined;
}

function fileBase(path: string): string {
  const file = path.split(/[\\/]/u).at(-1) ?? path;
  return file.replace(/\.[^.]*$/u, '');
}
