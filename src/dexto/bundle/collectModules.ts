import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { extname } from 'node:path';
import type { Jiti } from 'jiti';
import { errorMessage } from '../../base/errors.ts';
import { compileModule, type CompiledModule } from '../../plugins/load/compileModule.ts';
import { createResolver } from '../../plugins/load/createResolver.ts';
import { createTranspile, type Transpile } from '../../plugins/load/createTranspile.ts';
import type { HostModules } from '../../plugins/load/hostModules.ts';
import { parseJsonModule } from '../../plugins/load/parseJsonModule.ts';
import { importKey } from './agentBundle.ts';
import { createRequestFinder, type ModuleRequest, type ModuleRequests } from './findRequests.ts';

type CompiledCode = Omit<CompiledModule, 'body'>;

/** A module on disk, and what it imports. */
export interface CollectedModule {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Absolute paths by the names in the code, as `importKey` writes them. */
  readonly imports: ReadonlyMap<string, string>;
  /** Absent for JSON. */
  readonly compiled?: CompiledCode;
  /** The code where it may wait for what it imports. */
  readonly waiting?: CompiledCode;
  readonly data?: unknown;
}

/** What keeps a file out of a bundle, or may be missing in it. `line` is 1-based. */
export interface CollectProblem {
  readonly level: 'warn' | 'error';
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  readonly hint?: string;
}

export interface CollectedModules {
  /** Each file once, by its path. */
  readonly modules: ReadonlyMap<string, CollectedModule>;
  readonly problems: readonly CollectProblem[];
}

export interface CollectParts {
  /** Fetched when the first code is read. */
  readonly jiti: Pick<Jiti, 'transform'>;
  /** Modules that are there without files; undefined for all others. */
  readonly provided: HostModules;
  /** Libraries that stand in where nothing is installed. */
  readonly libraries: HostModules;
}

/**
 * Follows the imports of some modules, with the resolver and transpiler that also load them, without running anything. What the code of
 * packages asks for in vain is a warning, since much of it is only tried; in a plugin's own code it is an error.
 */
export function collectModules(entries: readonly string[], parts: CollectParts): CollectedModules {
  const resolver = createResolver();
  const modules = new Map<string, CollectedModule>();
  const problems: CollectProblem[] = [];
  const found = new Map<string, ModuleRequests>();
  const transpile = createReadingTranspile(parts.jiti, (path, requests) => found.set(path, requests));

  const problem = (
    path: string,
    message: string,
    at: { line?: number; mild?: boolean; hint?: string } = {},
  ): void => {
    const isMild = at.mild === true || isOfPackage(path);
    const { line, hint } = at;
    const place = { ...(line === undefined ? {} : { line }), ...(hint === undefined ? {} : { hint }) };
    problems.push({ level: isMild ? 'warn' : 'error', path, message, ...place });
  };

  const importsOf = (path: string, requests: readonly ModuleRequest[]): ReadonlyMap<string, string> => {
    const imports = new Map<string, string>();
    for (const { name, line, need, kind: written } of requests) {
      const kind = path.endsWith('.cts') ? 'require' : written;
      try {
        if (isBuiltin(name) || parts.provided(name) !== undefined) continue;
        imports.set(importKey(name, kind), resolver.resolve(name, path, kind));
      } catch (error) {
        if (need === 'local' || isLibrary(name, parts.libraries)) continue;
        const hint = /^[./]|^file:/u.test(name)
          ? 'Correct the import.'
          : `Run npm install ${name}, or correct the import.`;
        problem(path, errorMessage(error), { line, mild: need === 'attempt', hint });
      }
    }
    return imports;
  };

  const readCode = (path: string): CollectedModule => {
    const source = readFileSync(path, 'utf8');
    transpile({ path, source: source.replace(/^\uFEFF/u, '').replace(/^#!/u, '//'), async: false });
    const packageType = resolver.packageType(path);
    const compiled = compileModule({ path, packageType, async: false, transpile });
    const { requests, unknown, places } = found.get(path) ?? { requests: [], unknown: [], places: [] };
    for (const { line } of unknown)
      problem(path, 'imports what only shows when it runs', {
        line,
        hint: 'Write the name of the module as a text.',
      });
    for (const { line, name } of places) {
      // Packages ask for it to no harm, most of the time.
      if (!isOfPackage(path))
        problem(path, `uses ${name}: files beside it are not in the bundle`, {
          ...{ line, mild: true },
          hint: 'Import what it reads there, as a module or as JSON.',
        });
    }
    const imports = importsOf(path, requests);
    const waiting =
      compiled.format === 'module'
        ? { waiting: compileModule({ path, packageType, async: true, transpile }) }
        : {};
    return { path, imports, compiled, ...waiting };
  };

  const read = (path: string): CollectedModule => {
    const ending = extname(path);
    if (ending === '.node')
      throw new Error(
        'native add-ons are built for one program and can not be bundled; use a package without one',
      );
    if (ending !== '.json') return readCode(path);
    return { path, imports: new Map(), data: parseJsonModule(path, readFileSync(path, 'utf8')) };
  };

  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (modules.has(path)) continue;
    try {
      const module = read(path);
      modules.set(path, module);
      waiting.push(...module.imports.values());
    } catch (error) {
      modules.set(path, { path, imports: new Map() });
      problems.push({ level: 'error', path, message: errorMessage(error) });
    }
  }
  return { modules, problems };
}

/** Keeps what each file asks for beside the code. No cache: what it asks for would not be in it. */
function createReadingTranspile(
  jiti: Pick<Jiti, 'transform'>,
  found: (path: string, requests: ModuleRequests) => void,
): Transpile {
  const reading: Pick<Jiti, 'transform'> = {
    transform: (options) => {
      const { filename = '', babel } = options;
      const plugins: unknown = babel?.['plugins'];
      const finder = createRequestFinder((requests) => found(filename, requests));
      return jiti.transform({
        ...options,
        babel: { plugins: [finder, ...(Array.isArray(plugins) ? (plugins as unknown[]) : [])] },
      });
    },
  };
  return createTranspile(() => reading, { read: () => undefined, write: () => false });
}

function isLibrary(name: string, libraries: HostModules): boolean {
  return libraries(name) !== undefined;
}

function isOfPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/u.test(path);
}
