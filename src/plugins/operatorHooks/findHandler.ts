// Threat: a hook folder holds a link instead of a handler, or others than the user may write to it. What would load from
// outside the folder, or from files that others control, is refused.
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { judgeStat } from '../discover/checkCandidate.ts';
import { isInside } from '../discover/isInside.ts';
import type { HookCandidate } from './operatorHookTypes.ts';

const extensions = ['ts', 'js', 'mjs', 'cjs', 'mts', 'cts'];

/** In the order they are tried (upstream's, and the other module kinds after it). */
export const handlerFiles: readonly string[] = ['handler', 'index'].flatMap((base) =>
  extensions.map((extension) => `${base}.${extension}`),
);

type FoundHandler =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly kind: 'missing' }
  | { readonly ok: false; readonly kind: 'blocked'; readonly why: string; readonly hint?: string };

/** Absolute path of the hook's handler, or why there is none. `ownUid` is the user that this process runs as. */
export async function findHandler(
  fs: FileSystem,
  candidate: HookCandidate,
  ownUid: number | undefined,
): Promise<FoundHandler> {
  try {
    for (const name of handlerFiles) {
      const path = join(candidate.folder, name);
      if ((await fs.stat(path))?.kind !== 'file') continue;
      return (await refusalOf(fs, candidate, path, ownUid)) ?? { ok: true, path };
    }
    return { ok: false, kind: 'missing' };
  } catch (error) {
    return { ok: false, kind: 'blocked', why: errorMessage(error) };
  }
}

/** Why a file of the hook may not be read or run; undefined where it may. */
export async function refusalOf(
  fs: FileSystem,
  { origin, rootDir }: HookCandidate,
  path: string,
  ownUid: number | undefined,
): Promise<Extract<FoundHandler, { kind: 'blocked' }> | undefined> {
  const [realRoot, realPath] = [await fs.realpath(rootDir), await fs.realpath(path)];
  if (!isInside(realRoot, realPath)) {
    return { ok: false, kind: 'blocked', why: `it leads out of its folder (${path} -> ${realPath})` };
  }
  // A workspace hook is guarded by its consent, which covers its exact bytes.
  for (const own of origin === 'workspace' ? [] : [rootDir, path]) {
    const stat = await fs.stat(own);
    const refusal = stat === undefined ? undefined : judgeStat(own, stat, ownUid);
    if (refusal !== undefined) return { ok: false, kind: 'blocked', ...refusal };
  }
  return undefined;
}
