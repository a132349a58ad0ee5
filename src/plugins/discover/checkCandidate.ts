// Threat: a repository ships a link instead of a plugin file, or another user of the machine may write to a plugin of yours.
// What would load from outside the plugin's own folder, or from files that others control, is no candidate.
import { errorMessage } from '../../base/errors.ts';
import type { FileStat, FileSystem } from '../../host/ports.ts';
import type { PluginCandidate } from '../pluginTypes.ts';
import { blocked, type Discovery } from './discovery.ts';
import { isInside } from './isInside.ts';

/** The candidate, or the reason why it is refused. `ownUid` is the user that this process runs as, where there is one. */
export async function checkCandidate(
  fs: FileSystem,
  candidate: PluginCandidate,
  ownUid: number | undefined,
): Promise<Discovery> {
  const { rootDir, source } = candidate;
  const [realRoot, realSource] = [await fs.realpath(rootDir), await fs.realpath(source)];
  if (!isInside(realRoot, realSource)) {
    return blocked(source, `source escapes plugin root (${source} -> ${realSource}; root=${realRoot})`);
  }
  for (const path of isOwnPlace(candidate) ? [rootDir, source] : []) {
    const refusal = await refusalOf(fs, path, ownUid);
    if (refusal !== undefined) return blocked(source, refusal.why, refusal.hint);
  }
  return { candidates: [candidate], diagnostics: [] };
}

/**
 * Bundled plugins are part of the program. A workspace plugin is guarded by its consent, which covers its exact bytes:
 * shared and mounted workspaces often are writable for all and belong to somebody else.
 */
function isOwnPlace({ origin }: PluginCandidate): boolean {
  return origin === 'global' || origin === 'config';
}

interface Refusal {
  readonly why: string;
  readonly hint?: string;
}

async function refusalOf(
  fs: FileSystem,
  path: string,
  ownUid: number | undefined,
): Promise<Refusal | undefined> {
  try {
    const stat = await fs.stat(path);
    return stat === undefined ? { why: `cannot stat path (${path})` } : judgeStat(path, stat, ownUid);
  } catch (error) {
    return { why: `cannot stat path (${path}): ${errorMessage(error)}` };
  }
}

/** Whether others than the user and root may change what lies at `path`. Pure; says nothing where there are no owners. */
export function judgeStat(
  path: string,
  { mode, uid }: Pick<FileStat, 'mode' | 'uid'>,
  ownUid: number | undefined,
): Refusal | undefined {
  if (mode !== undefined && (mode & 0o002) !== 0) {
    return {
      why: `world-writable path (${path}, mode=${mode.toString(8).padStart(4, '0')})`,
      hint: `Run: chmod o-w ${path}`,
    };
  }
  if (uid === undefined || ownUid === undefined || uid === ownUid || uid === 0) return undefined;
  return {
    why: `suspicious ownership (${path}, uid=${uid}, expected uid=${ownUid} or root)`,
    hint: 'Make it your own (chown), or install the plugin from it.',
  };
}
