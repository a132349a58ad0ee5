// Threat: the command line stays as it was agreed to, and what it runs is another thing: a script that is named without its ending or in
// another folder, a file that a variable loads, a module of the folder that happens to be open.
import { posix, win32 } from 'node:path';
import { isRecord, parseJson } from '../base/json.ts';
import type { FileSystem } from '../host/ports.ts';

/** How a server starts, as far as it decides which files run. */
export interface StartLine {
  readonly command: string;
  readonly args: readonly string[];
  /** Values that stand in the config itself. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface StartFiles {
  /** Absolute, links followed, sorted. */
  readonly files: readonly string[];
  /** A script that the line names and that is nowhere. */
  readonly missing?: string;
}

interface FilesMachine {
  readonly fs: Pick<FileSystem, 'stat' | 'realpath' | 'readText'>;
  readonly platform: NodeJS.Platform;
}

const script = /\.(?:[cm]?[jt]sx?|py|pyz|rb|sh|bash|zsh|pl|php|lua|jar|dll|exe|wasm|ps1|cmd|bat|so|dylib)$/iu;
const interpreter =
  /^(?:node|nodejs|bun|deno|python[\d.]*|pythonw|py|ruby|perl|php|bash|sh|zsh|tsx|ts-node|java|dotnet|pwsh)$/iu;
/** Behind these stands code, or the name of a module, and no file. */
const takesCode = /^(?:-c|-lc|-e|--eval|-p|--print|-m|\/c|-Command)$/u;
/** Behind these stands something else than what is run. */
const takesValue =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--conditions|--env-file|--config|-X|-W)$/u;
/** Behind these stands the folder in which the rest is looked up. */
const takesFolder = /^(?:--directory|--cwd|-C|--project|--dir|--prefix)$/u;

/** Names of variables by which a program loads code of others, or finds other programs. */
const loadsCode =
  /^(?:NODE_OPTIONS|NODE_PATH|LD_\w+|DYLD_\w+|PYTHON\w*|BASH_ENV|ENV|PATH|NPM_CONFIG_\w+|RUBY(?:OPT|LIB)|PERL5\w*|\w*JAVA_(?:TOOL_)?OPTIONS|CLASSPATH|DOTNET_STARTUP_HOOKS|PHPRC|PHP_INI_SCAN_DIR|LUA_(?:INIT|PATH|CPATH)|BUN_\w+|DENO_\w+|UV_\w+|PIP_\w+)$/iu;

/** Whether the value of a variable decides about what runs. Pure. */
export function mayLoadCode(variable: string): boolean {
  return loadsCode.test(variable);
}

/** The name of a program without folder and ending. Pure. */
export function programName(command: string): string {
  return posix.basename(win32.basename(command)).replace(/\.(?:cmd|exe|bat)$/iu, '');
}

/** The scripts among the arguments, and the files that variables load: what they hold runs as much as the program. */
export async function findStartFiles(
  { fs, platform }: FilesMachine,
  { command, args, texts }: StartLine,
  cwd: string,
): Promise<StartFiles> {
  const rules = platform === 'win32' ? win32 : posix;
  const folders = [...args.flatMap((arg, at) => folderAt(args, arg, at)), '.'].map((each) =>
    rules.resolve(cwd, each),
  );
  const runs = interpreter.test(programName(command));
  const first = runs ? entryOf(args) : undefined;
  const ofVariables = Object.entries(texts)
    .filter(([name]) => mayLoadCode(name))
    .flatMap(([, value]) => value.split(/[\s=:;,"']+/u));
  const words = [...args.filter((_, at) => !runs || !takesCode.test(args[at - 1] ?? '')), ...ofVariables]
    .map((word) => word.replace(/^--?[\w-]+=/u, ''))
    .filter((word) => word === first || script.test(word));
  const isFile = async (path: string): Promise<boolean> =>
    (await fs.stat(path).catch(() => undefined))?.kind === 'file';
  const found = new Set<string>();
  let missing: string | undefined;
  for (const word of words) {
    const places = folders.flatMap((folder) => placesOf(rules.resolve(folder, word), word === first));
    const path = await firstOf(places, isFile);
    if (path !== undefined) found.add(await fs.realpath(path));
    const main = path === undefined && word === first ? await mainOf(fs, rules, places) : undefined;
    const ofFolder = main === undefined ? undefined : await firstOf(placesOf(main, true), isFile);
    if (ofFolder !== undefined) found.add(await fs.realpath(ofFolder));
    const isThere = path !== undefined || (await anyThere(fs, places));
    if (!isThere && word === first && script.test(word)) missing = word;
  }
  return { files: [...found].sort(), ...(missing === undefined ? {} : { missing }) };
}

/**
 * Where what runs is taken from the folder that a server starts in, whatever its command line says: modules of Python, scripts of
 * package.json. Its sentence says how; undefined, it is not. Pure.
 */
export function findFolderCode({ command, args }: Pick<StartLine, 'command' | 'args'>): string | undefined {
  const name = programName(command).toLowerCase();
  const [verb = '', what = ''] = args.filter(
    (arg, at) => !arg.startsWith('-') && !takesFolder.test(args[at - 1] ?? ''),
  );
  if (/^(?:python[\d.]*|pythonw|py)$/u.test(name) && args.includes('-m'))
    return `${name} -m takes modules of the folder it runs in first: whoever writes there decides what runs.`;
  if (
    /^(?:npm|pnpm|yarn|bun)$/u.test(name) &&
    /^(?:run|run-script|start|test)$/u.test(verb) &&
    !script.test(what)
  )
    return `${name} ${verb} runs what package.json of its folder says: whoever writes there decides what runs.`;
  if (/^(?:uv|poetry|pipenv|pdm|hatch|rye)$/u.test(name) && verb === 'run')
    return `${name} run takes programs and modules of its folder: whoever writes there decides what runs.`;
  if (/^(?:make|just|task|go|cargo|gradle|gradlew|mvn|deno|dotnet)$/u.test(name) && verb !== '')
    return /^(?:deno|dotnet)$/u.test(name) && !/^(?:task|run)$/u.test(verb)
      ? undefined
      : `${name} ${verb} builds or runs what its folder holds: whoever writes there decides what runs.`;
  if (name === 'bun')
    return 'bun obeys bunfig.toml of the folder it runs in: whoever writes there decides what runs.';
  return undefined;
}

/** Whether the line itself names the folder that its code is taken from. Pure. */
export function namesFolder(args: readonly string[]): boolean {
  return args.some((arg, at) => folderAt(args, arg, at).length > 0);
}

/** The launcher that a line starts through another program, where nothing looks up what it fetches. Pure. */
export function findHiddenLauncher({
  command,
  args,
}: Pick<StartLine, 'command' | 'args'>): string | undefined {
  const name = programName(command).toLowerCase();
  const isEnv = name === 'env';
  const isShell = /^(?:sh|bash|zsh|dash|fish|cmd|pwsh|powershell)$/u.test(name);
  if (!isEnv && !isShell) return undefined;
  const line = args.join(' ');
  return /(?:^|[\s;&|("'])(npx|pnpx|bunx|uvx|pipx|(?:pnpm|yarn) dlx|npm exec|bun x|uv tool run)(?=\s)/u.exec(
    line,
  )?.[1];
}

/** The file or folder that an interpreter runs; undefined where it runs code of the line, or a module. */
function entryOf(args: readonly string[]): string | undefined {
  if (args.some((arg) => takesCode.test(arg))) return undefined;
  return args.find((arg, at) => {
    const before = args[at - 1] ?? '';
    return !arg.startsWith('-') && !takesFolder.test(before) && !takesValue.test(before);
  });
}

function folderAt(args: readonly string[], arg: string, at: number): readonly string[] {
  if (takesFolder.test(args[at - 1] ?? '')) return [arg];
  const [name = '', value] = arg.split('=', 2);
  return value !== undefined && takesFolder.test(name) ? [value] : [];
}

/** As Node looks up what it is told to run. */
function placesOf(path: string, isEntry: boolean): readonly string[] {
  const more = ['.js', '.mjs', '.cjs', '.json', '.node', '/index.js', '/index.mjs', '/__main__.py'];
  return isEntry ? [path, ...more.map((end) => `${path}${end}`)] : [path];
}

async function firstOf(
  paths: readonly string[],
  isFile: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const path of paths) if (await isFile(path)) return path;
  return undefined;
}

async function anyThere(fs: FilesMachine['fs'], paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if ((await fs.stat(path).catch(() => undefined)) !== undefined) return true;
  return false;
}

/** What package.json of a folder names. */
async function mainOf(
  fs: FilesMachine['fs'],
  rules: typeof posix,
  places: readonly string[],
): Promise<string | undefined> {
  for (const folder of places) {
    const text = await fs.readText(rules.join(folder, 'package.json')).catch(() => undefined);
    const read: unknown = text === undefined ? undefined : parseJson(text);
    const main = isRecord(read) ? read['main'] : undefined;
    if (typeof main === 'string') return rules.resolve(folder, main);
  }
  return undefined;
}
