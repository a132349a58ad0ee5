import { dirname, join, resolve } from 'node:path';
import type { Jiti } from 'jiti';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import { compileModule } from '../../plugins/load/compileModule.ts';
import { createTranspile, type Transpile } from '../../plugins/load/createTranspile.ts';
import { createRequestFinder, type ModuleRequest } from './findRequests.ts';

interface CompileFolderInput {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly workspace: string;
  /** The folder to compile, such as `hooks`. Absolute. */
  readonly from: string;
  /** Gets the JavaScript. Absolute, and not in `from`. */
  readonly to: string;
}

/** Paths below `to` of what was written, with forward slashes. */
interface CompiledFolder {
  readonly compiled: readonly string[];
  readonly copied: readonly string[];
}

/**
 * Makes plain JavaScript of a folder of plugins, file by file, so that nothing is transpiled where they run (Dexto plugin specification,
 * Plugin Compilation Pipeline). All of it is CommonJS, with the lines of the source. Other files are copied; tests, declarations and
 * `node_modules` stay out. Runs no code, and checks no types.
 * @throws PincerError `compile_failed` with everything that is wrong, `output_exists`, `io_*`
 */
export async function compileFolder({
  fs,
  workspace,
  from,
  to,
}: CompileFolderInput): Promise<CompiledFolder> {
  await refuseWayOut(fs, workspace, from);
  await refuseWayOut(fs, workspace, to);
  await refuseOther(fs, from, to);
  const { createJiti } = await import('jiti');
  const jiti = createJiti(join(from, 'index.ts'), { fsCache: false, moduleCache: false });
  const paths = await listFiles(fs, from);
  const problems: string[] = [];
  const made = new Map<string, { readonly path: string; readonly text?: string }>();
  for (const path of paths) {
    const target = targetOf(path);
    const first = made.get(target);
    if (first !== undefined)
      problems.push(`${join(from, path)} and ${first.path} would both become ${target}`);
    try {
      const text = isCode(path)
        ? compileOne(join(from, path), from, jiti)
        : await manifestText(fs, from, path);
      made.set(target, { path, ...(text === undefined ? {} : { text }) });
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  if (problems.length > 0)
    throw new PincerError('compile_failed', problems.join('\n'), { hint: 'Nothing was written.' });
  await fs.remove(to);
  for (const [target, { path, text }] of made)
    await fs.writeFile(join(to, target), text ?? (await fs.readFile(join(from, path))));
  if (!made.has(manifest)) await fs.writeFile(join(to, manifest), manifestOf({}));
  const all = [...made].map(([target, { path }]) => ({ target, path }));
  return {
    compiled: all.filter(({ path }) => isCode(path)).map(({ target }) => target),
    copied: all.filter(({ path }) => !isCode(path)).map(({ target }) => target),
  };
}

const manifest = 'package.json';
/** In the package.json of an output: what may be replaced. */
const mark = 'pincer compile';

/**
 * Threat: a repository brings a link in place of one of the two folders. Files of the user's, such as keys, would be copied into it, or its
 * plugins would be written where those of the user lie, which run unasked.
 */
async function refuseWayOut(fs: FileSystem, workspace: string, path: string): Promise<void> {
  if (!isInside(workspace, path)) return;
  let there = path;
  while ((await fs.stat(there)) === undefined && there !== workspace) there = dirname(there);
  if (isInside(await fs.realpath(workspace), await fs.realpath(there))) return;
  throw new PincerError('compile_failed', `${path} leads out of the workspace by a link.`, {
    hint: 'Name the folder where it really lies, or remove the link.',
  });
}

/** A slip of the keyboard must not cost a folder of the user's. */
async function refuseOther(fs: FileSystem, from: string, to: string): Promise<void> {
  if ((await fs.stat(from))?.kind !== 'directory')
    throw new PincerError('compile_failed', `There is no folder ${from}.`, {
      hint: 'Name the folder of your plugins.',
    });
  if (isInside(from, to) || isInside(to, from))
    throw new PincerError('output_exists', `${to} and ${from} lie in each other.`, {
      hint: 'Name a folder beside it with --output.',
    });
  if ((await fs.stat(to)) === undefined) return;
  const path = join(to, manifest);
  const json = (await fs.stat(path)) === undefined ? undefined : parseJson(await fs.readText(path));
  if (isRecord(json) && json['madeBy'] === mark) return;
  throw new PincerError('output_exists', `${to} already exists and was not made by ${mark}.`, {
    hint: 'Name another folder with --output, or remove this one.',
  });
}

const maxFiles = 5_000;
const isLeftOut = (name: string): boolean =>
  name === 'node_modules' ||
  name.startsWith('.') ||
  /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]sx?$/u.test(name);

/** Links are not followed. */
async function listFiles(fs: FileSystem, from: string): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (path: string): Promise<void> => {
    for (const { name, kind } of await fs.readDirectory(join(from, path))) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (isLeftOut(name)) continue;
      if (kind === 'directory') await walk(inner);
      else if (kind === 'file') found.push(inner);
      if (found.length > maxFiles)
        throw new PincerError('compile_failed', `${from} has more than ${String(maxFiles)} files.`, {
          hint: 'Name the folder of your plugins alone.',
        });
    }
  };
  await walk('');
  return found.sort();
}

function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/u.test(path);
}

/** All that is code becomes CommonJS, so `.mts` and `.mjs` become `.js`, too. */
function targetOf(path: string): string {
  return path.replace(/\.(?:m?[jt]s|[jt]sx)$/u, '.js').replace(/\.ct?s$/u, '.cjs');
}

/** @throws Error with the place */
function compileOne(path: string, from: string, jiti: Pick<Jiti, 'transform'>): string {
  let asked: readonly ModuleRequest[] = [];
  const transpile = withoutEndings(jiti, (requests) => (asked = requests));
  const { code, format, waits } = compileModule({ path, packageType: undefined, async: false, transpile });
  const stray = asked.find(
    ({ name }) => name.startsWith('.') && !isInside(from, resolve(dirname(path), name)),
  );
  if (stray !== undefined)
    throw new Error(
      `${path}:${String(stray.line)} imports ${stray.name}, which lies outside of ${from}: move it there, or compile the folder around both`,
    );
  if (waits)
    throw new Error(`${path} awaits outside of functions, which CommonJS can not: move it into initialize()`);
  return format === 'commonjs' ? code : `${withHelpers(code)}\n`;
}

/** A transpiler that names the compiled files in place of the TypeScript that they come from. */
function withoutEndings(
  jiti: Pick<Jiti, 'transform'>,
  found: (requests: readonly ModuleRequest[]) => void,
): Transpile {
  const finder = createRequestFinder(({ requests }) => found(requests), targetOf);
  const renaming: Pick<Jiti, 'transform'> = {
    transform: (options) => {
      const plugins: unknown = options.babel?.['plugins'];
      const others = Array.isArray(plugins) ? (plugins as unknown[]) : [];
      return jiti.transform({ ...options, babel: { plugins: [finder, ...others] } });
    },
  };
  return createTranspile(() => renaming, { read: () => undefined, write: () => false });
}

/** What the transpiler leaves to the loader, for Node alone. The loader here has its own by the same names. */
const helpers: Readonly<Record<string, string>> = {
  jitiImport: '(name) => import(name)',
  jitiESMResolve: "(name) => require('node:url').pathToFileURL(require.resolve(name)).href",
  importMetaObject:
    "{ url: require('node:url').pathToFileURL(__filename).href, filename: __filename, dirname: __dirname }",
  __ownRequire: 'require',
};

/** On the first line, so that all others stay where they were; behind the directive, which must be first. */
function withHelpers(code: string): string {
  const used = Object.entries(helpers).filter(([name]) => code.includes(name));
  const made = used.map(([name, value]) => `var ${name} = ${name} || (${value});`).join('');
  const directive = /^\s*(?:'use strict'|"use strict");?/u.exec(code)?.[0] ?? '';
  return `"use strict";${made}${code.slice(directive.length)}`;
}

/** The package.json of the output says what its files are; undefined for any other file. */
async function manifestText(fs: FileSystem, from: string, path: string): Promise<string | undefined> {
  if (path.split('/').at(-1) !== manifest) return undefined;
  const json = parseJson(await fs.readText(join(from, path)));
  if (!isRecord(json)) throw new Error(`${join(from, path)} is no JSON object`);
  const { main } = json;
  return manifestOf({ ...json, ...(typeof main === 'string' ? { main: targetOf(main) } : {}) });
}

function manifestOf(json: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ ...json, type: 'commonjs', madeBy: mark }, undefined, 2)}\n`;
}
