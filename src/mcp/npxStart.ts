// Threat: the folder that npx runs in may be a stranger's, and npx obeys it: settings (.npmrc: another shell, another cache, another registry),
// programs of package.json and of node_modules/.bin under the very word of the command line, and a `node` there. So such programs are a part
// of what a person agrees to; and where there are none, npx is told of another folder as its project, and of the cache that was compared.
import { posix, win32 } from 'node:path';
import { isRecord, parseJson } from '../base/json.ts';
import {
  cacheFolder,
  foldersUpward,
  settingIn,
  type InstalledPackage,
  type PackageMachine,
} from './installedPackage.ts';
import { readSpec, type FetchedPackage } from './readFetched.ts';

/** Files of the folder, and of those above it, that have a say in what npx runs. Absolute paths. */
interface ObeyedFiles {
  /** What npx runs in place of a package: a program of that name, the package.json that names one, and what it names. */
  readonly programs: readonly string[];
  /** A `node` or a shell by which all that npx runs is run. */
  readonly interpreters: readonly string[];
}

const nothing: ObeyedFiles = { programs: [], interpreters: [] };
const maxManifestBytes = 1_000_000;

/** The name by which a launcher looks for a program of the folder, or of the machine, before it fetches a package; npx looks by its word. Pure. */
export function localName({ installer, word = '' }: FetchedPackage): string | undefined {
  const { name, version } = readSpec(word);
  const isTaken = installer?.takesPrograms === true && word !== '' && version === undefined;
  return isTaken ? posix.basename(name) : undefined;
}

export async function findObeyed(
  fetched: FetchedPackage,
  { fs, platform, cwd }: PackageMachine,
): Promise<ObeyedFiles> {
  const { byNpm } = fetched;
  const word = byNpm ? fetched.word : localName(fetched);
  if (!byNpm && word === undefined) return nothing;
  const rules = platform === 'win32' ? win32 : posix;
  const found = { programs: [] as string[], interpreters: [] as string[] };
  const isFile = async (path: string): Promise<boolean> => (await fs.stat(path))?.kind === 'file';
  const add = async (list: string[], folder: string, names: readonly string[]): Promise<void> => {
    for (const path of names.map((name) => rules.join(folder, name))) if (await isFile(path)) list.push(path);
  };
  for (const folder of foldersUpward(cwd, rules)) {
    const programs = rules.join(folder, 'node_modules', '.bin');
    await add(found.interpreters, programs, interpretersOn(platform));
    if (word === undefined || word === '') continue;
    await add(
      found.programs,
      programs,
      byNpm || platform !== 'win32' ? [word] : [`${word}.exe`, `${word}.cmd`],
    );
    const manifest = rules.join(folder, 'package.json');
    const named =
      byNpm && (await isFile(manifest))
        ? programNamed(parseJson(await fs.readText(manifest, maxManifestBytes)), word)
        : undefined;
    if (named !== undefined) {
      found.programs.push(manifest);
      await add(found.programs, folder, [named]);
    }
  }
  // What is fetched into Pincer's own folder never meets those of the folder that is open.
  return byNpm || found.programs.length > 0 ? found : nothing;
}

interface Files {
  readonly files: readonly { readonly path: string }[];
  readonly installed?: InstalledPackage | undefined;
}

/** Whether a launcher runs a program of the folder or of the machine, one that is of no package of that name there. Pure. */
export function isOwnProgram(fetched: FetchedPackage, { files, installed }: Files): boolean {
  const { byNpm, word } = fetched;
  if (!byNpm) {
    const own = localName(fetched);
    const nameOf = (path: string): string =>
      posix.basename(win32.basename(path)).replace(/\.(?:cmd|exe)$/iu, '');
    return own !== undefined && installed === undefined && files.some(({ path }) => nameOf(path) === own);
  }
  if (word === undefined || installed?.isLocal === true) return false;
  return files.some(
    ({ path }) => /[\\/]package\.json$/u.test(path) || path.replaceAll('\\', '/').endsWith(`/.bin/${word}`),
  );
}

function interpretersOn(platform: NodeJS.Platform): readonly string[] {
  return platform === 'win32' ? ['node.exe', 'node.cmd', 'node.bat', 'node.com'] : ['node', 'sh'];
}

/** The file of a program that a package.json names so, as npm reads it: of a name with slashes the last part counts. */
function programNamed(manifest: unknown, word: string): string | undefined {
  const { name, bin } = isRecord(manifest) ? manifest : {};
  const isWord = (key: string): boolean => posix.basename(key.replaceAll(/[\\:]/gu, '/')) === word;
  const found = isRecord(bin)
    ? Object.entries(bin).find(([key]) => isWord(key))?.[1]
    : typeof name === 'string' && isWord(name)
      ? bin
      : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** How npx is started so that it runs what was compared. */
interface NpxStart {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface NpxParts extends Pick<PackageMachine, 'platform' | 'env'> {
  readonly installed: InstalledPackage | undefined;
  readonly obeyed: ObeyedFiles;
  /** Absolute path of a folder where nobody but the user writes. */
  readonly project: string;
  /** Absolute path of the `node` on the PATH, links followed. */
  readonly node: string | undefined;
}

/** Undefined where npx is not what starts. Pure. */
export function planNpxStart(
  { byNpm, unclear }: FetchedPackage,
  { platform, env, installed, obeyed, project, node }: NpxParts,
): NpxStart | undefined {
  if (!byNpm) return undefined;
  // What was agreed to is of the folder, or nobody can tell.
  const isFree = unclear !== undefined || installed?.isLocal === true || obeyed.programs.length > 0;
  const settings = isFree ? undefined : machineSettings({ platform, env, node });
  const cache = cacheFolder({ platform, env });
  return {
    args: isFree ? [] : ['--prefix', project],
    env: {
      ...(settings === undefined ? {} : { npm_config_globalconfig: settings }),
      ...(cache === undefined ? {} : { npm_config_cache: cache }),
      // What npm has already is what was agreed to: a newer one is not looked for.
      ...(installed === undefined ? {} : { npm_config_prefer_offline: 'true' }),
    },
  };
}

/**
 * Where npm looks for the settings of the machine, unless the user's own name another prefix: with another project it would look for them
 * there.
 */
function machineSettings({
  platform,
  env,
  node,
}: Pick<NpxParts, 'platform' | 'env' | 'node'>): string | undefined {
  const said = settingIn(env, 'globalconfig');
  if (said !== undefined) return said;
  const rules = platform === 'win32' ? win32 : posix;
  const usual =
    platform === 'win32'
      ? env['APPDATA'] === undefined
        ? undefined
        : rules.join(env['APPDATA'], 'npm')
      : node === undefined
        ? undefined
        : rules.dirname(rules.dirname(node));
  const prefix = settingIn(env, 'prefix') ?? usual;
  return prefix === undefined ? undefined : rules.join(prefix, 'etc', 'npmrc');
}
