import { delimiter, join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { HookManifest } from './operatorHookTypes.ts';

/** What a hook's requirements are held against. */
export interface HookSurroundings {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  /** Environment variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `requires.config` looks into. */
  readonly hostConfig: Readonly<Record<string, unknown>>;
}

/**
 * What a hook needs and does not find, as `program git` or `environment variable TOKEN`; empty where nothing is missing.
 * `always` skips all but the platform (upstream's rule). Never rejects.
 */
export async function findMissing(
  around: HookSurroundings,
  { os, always, requires }: Pick<HookManifest, 'os' | 'always' | 'requires'>,
  ownEnv: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { platform, env, hostConfig } = around;
  if (os.length > 0 && !os.includes(platform)) return [`platform ${os.join(' or ')} (this is ${platform})`];
  if (always) return [];
  const missing: string[] = [];
  for (const bin of requires.bins) if (!(await hasProgram(around, bin))) missing.push(`program ${bin}`);
  if (requires.anyBins.length > 0) {
    const found: boolean[] = [];
    for (const bin of requires.anyBins) found.push(await hasProgram(around, bin));
    if (!found.includes(true)) missing.push(`one of the programs ${requires.anyBins.join(', ')}`);
  }
  for (const name of requires.env) {
    const own = Object.hasOwn(ownEnv, name) ? ownEnv[name] : undefined;
    if (!own && !env[name]) missing.push(`environment variable ${name}`);
  }
  for (const path of requires.config) if (!holds(hostConfig, path)) missing.push(`config ${path}`);
  return missing;
}

async function hasProgram({ fs, env, platform }: HookSurroundings, name: string): Promise<boolean> {
  // A name, not a path: `../x` would look outside the PATH.
  if (!/^[\w.+-]+$/u.test(name)) return false;
  const isWindows = platform === 'win32';
  const path = env['PATH'] ?? (isWindows ? env['Path'] : undefined) ?? '';
  const suffixes = isWindows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  for (const folder of path.split(delimiter).filter((each) => each !== '')) {
    for (const suffix of suffixes) {
      const stat = await fs.stat(join(folder, `${name}${suffix}`)).catch(() => undefined);
      if (stat?.kind === 'file' && (stat.mode === undefined || isWindows || (stat.mode & 0o111) !== 0))
        return true;
    }
  }
  return false;
}

/** True where the dotted path leads to something: not false, 0, or an empty text. */
function holds(config: Readonly<Record<string, unknown>>, path: string): boolean {
  let value: unknown = config;
  for (const part of path.split('.').filter((each) => each !== '')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return false;
    value = value[part];
  }
  return typeof value === 'string' ? value.trim() !== '' : Boolean(value);
}
