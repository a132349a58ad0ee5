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

interface StartFiles {
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
/** In front of what is run: behind these stands code, or the name of a module, and no file. */
const takesCode = /^(?:-[a-z]*c|-e|--eval|-p|--print|-[a-zA-Z]*m|\/c|-Command)$/u;
/** The module in the same word: `-mfoo`. */
const takesModule = /^-[A-Za-z]*m/u;
/** Behind these stands something else than what is run. */
const takesValue =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--conditions|--env-file|--config|-X|-W)$/u;
/** Behind these stands the folder in which the rest is looked up. */
const takesFolder = /^(?:--directory|--cwd|-C|--project|--dir|--prefix)$/u;

/** Names of variables by which a program loads code of others, or finds other programs. */
const loadsCode =
  /^(?:NODE_OPTIONS|NODE_PATH|LD_\w+|DYLD_\w+|PYTHON\w*|BASH_ENV|ENV|PATH|NPM_CONFIG_\w+|RUBY(?:OPT|LIB)|PERL5\w*|\w*JAVA_(?:TOOL_)?OPTIONS|CLASSPATH|DOTNET_STARTUP_HOOKS|PHPRC|PHP_INI_SCAN_DIR|LUA_(?:INIT|PATH|CPATH)|BUN_\w+|DENO_\w+|YARN_\w+|UV_\w+|PIPX?_\w+)$/iu;

/** Whether the value of a variable decides about what runs. A key does not, and is shown to nobody. Pure. */
export function mayLoadCode(variable: string): boolean {
  return loadsCode.test(variable) && !/TOKEN|AUTH|PASS|SECRET|KEY|CREDENTIAL/iu.test(variable);
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
  const name = programName(command);
  const { entry, code } = interpreter.test(name) ? readLine(args) : {};
  const ofVariables = Object.entries(texts)
    .filter(([variable]) => mayLoadCode(variable))
    .flatMap(([, value]) => value.split(/[\s=:;,"']+/u));
  const words = [...args.filter((arg) => arg !== code), ...ofVariables]
    .map((word) => word.replace(/^--?[\w-]+=/u, ''))
    .filter((word) => word === entry || script.test(word));
  const inCode = (code ?? '')
    .split(/[\s;&|()<>"'`=]+/u)
    .filter((word) => script.test(word) || word.includes('/'));
  const isFile = async (path: string): Promise<boolean> =>
    (await fs.stat(path).catch(() => undefined))?.kind === 'file';
  const found = new Set<string>();
  let missing: string | undefined;
  for (const word of new Set([...words, ...inCode])) {
    const paths = folders.map((folder) => rules.resolve(folder, word));
    const places =
      word === entry
        ? [
            ...paths,
            ...(isPython(name) ? [] : await mainsOf(fs, rules, paths)),
            ...paths.flatMap((path) => placesOf(path, name)),
          ]
        : paths;
    const path = await firstOf(places, isFile);
    if (path !== undefined) found.add(await fs.realpath(path));
    const isThere = path !== undefined || (await anyThere(fs, paths));
    if (!isThere && word === entry && script.test(word)) missing = word;
  }
  return { files: [...found].sort(), ...(missing === undefined ? {} : { missing }) };
}

/**
 * Where what runs is taken from the folder that a server starts in, whatever its command line says: modules of Python, scripts of
 * package.json. Its sentence says how; undefined, it is not. Pure.
 */
export function findFolderCode({ command, args }: Pick<StartLine, 'command' | 'args'>): string | undefined {
  const name = programName(command).toLowerCase();
  const verbs = args.filter((arg) => !arg.startsWith('-'));
  const decides = 'whoever writes there decides what runs';
  const { front } = readLine(args);
  if (isPython(name) && front.some((option) => takesModule.test(option)))
    return `${name} -m takes modules of the folder it runs in first: ${decides}.`;
  if (isShell(name) && readLine(args).code !== undefined)
    return `${name} runs a line: of what it starts, only the files that the line names are compared.`;
  if (name === 'npm' && verbs.some((verb) => /^(?:run|run-script|start|test)$/u.test(verb)))
    return `npm runs what package.json of its folder says: ${decides}.`;
  if (/^(?:pnpm|yarn|bun)$/u.test(name) && verbs.length > 0)
    return `${name} obeys package.json and the settings of the folder it runs in: ${decides}.`;
  if (/^(?:uv|poetry|pipenv|pdm|hatch|rye)$/u.test(name) && verbs.includes('run'))
    return `${name} run takes programs and modules of its folder: ${decides}.`;
  if (/^(?:deno|dotnet)$/u.test(name) && verbs.some((verb) => /^(?:task|run)$/u.test(verb)))
    return `${name} obeys the settings of the folder it runs in: ${decides}.`;
  if (/^(?:make|just|task|go|cargo|gradle|gradlew|mvn)$/u.test(name) && verbs.length > 0)
    return `${name} builds or runs what its folder holds: ${decides}.`;
  return undefined;
}

/** Whether the line itself names the folder that its code is taken from, wherever it starts. Pure. */
export function namesFolder(args: readonly string[]): boolean {
  return args.some((arg, at) =>
    folderAt(args, arg, at).some((folder) => posix.isAbsolute(folder) || /^[A-Za-z]:[\\/]/u.test(folder)),
  );
}

/** The launcher that a line starts through another program, where nothing looks up what it fetches. Pure. */
export function findHiddenLauncher({
  command,
  args,
}: Pick<StartLine, 'command' | 'args'>): string | undefined {
  const name = programName(command).toLowerCase();
  if (name !== 'env' && !isShell(name)) return undefined;
  const line = args.join(' ');
  return /(?:^|[\s;&|("'])(npx|pnpx|bunx|uvx|pipx|(?:pnpm|yarn) dlx|npm exec|bun x|uv tool run)(?=\s)/u.exec(
    line,
  )?.[1];
}

function isPython(name: string): boolean {
  return /^(?:python[\d.]*|pythonw|py)$/iu.test(name);
}

function isShell(name: string): boolean {
  return /^(?:sh|bash|zsh|dash|fish|cmd|pwsh|powershell)$/u.test(name);
}

interface ReadLine {
  /** The options in front of what is run. */
  readonly front: readonly string[];
  /** The file or folder that is run; undefined where that is code of the line, or a module. */
  readonly entry?: string;
  readonly code?: string;
}

/** What an interpreter's line runs: options of what is run come behind it. */
function readLine(args: readonly string[]): ReadLine {
  for (const [at, arg] of args.entries()) {
    const front = args.slice(0, at + 1);
    const next = args[at + 1];
    if (takesCode.test(arg)) return { front, ...(next === undefined ? {} : { code: next }) };
    if (takesModule.test(arg) && !arg.startsWith('--')) return { front };
    const before = args[at - 1] ?? '';
    if (!arg.startsWith('-') && !takesFolder.test(before) && !takesValue.test(before))
      return { front: args.slice(0, at), entry: arg };
  }
  return { front: args };
}

function folderAt(args: readonly string[], arg: string, at: number): readonly string[] {
  if (takesFolder.test(args[at - 1] ?? '')) return [arg];
  const [name = '', value] = arg.split('=', 2);
  return value !== undefined && takesFolder.test(name) ? [value] : [];
}

/** As an interpreter looks up what it is told to run. */
function placesOf(path: string, name: string): readonly string[] {
  const ends = isPython(name)
    ? ['/__main__.py']
    : ['.js', '.mjs', '.cjs', '.json', '.node', '/index.js', '/index.mjs', '/index.cjs'];
  return ends.map((end) => `${path}${end}`);
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

/** What package.json of a folder names, as Node looks it up. */
async function mainsOf(
  fs: FilesMachine['fs'],
  rules: typeof posix,
  folders: readonly string[],
): Promise<readonly string[]> {
  const mains: string[] = [];
  for (const folder of folders) {
    const text = await fs.readText(rules.join(folder, 'package.json')).catch(() => undefined);
    const read: unknown = text === undefined ? undefined : parseJson(text);
    const main = isRecord(read) ? read['main'] : undefined;
    if (typeof main !== 'string') continue;
    const path = rules.resolve(folder, main);
    mains.push(path, ...placesOf(path, 'node'));
  }
  return mains;
}
