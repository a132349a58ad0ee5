// Threat: the bundler is code of the project, and may come with a cloned repository. It runs only where the user names it on the command
// line, as the user's own.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { CollectedModule, CollectedModules, CollectParts, CollectProblem } from './collectModules.ts';

interface PackOptions extends Omit<CollectParts, 'jiti'> {
  /** Its `node_modules`, or one above, has esbuild. Absolute. */
  readonly dir: string;
  readonly minify: boolean;
}

/** One module for each entry, and every file whose code is in them. */
export interface PackedModules extends CollectedModules {
  readonly files: readonly string[];
}

/**
 * Packs each entry and all that it imports into one module with the esbuild that is installed in the project: what nothing uses is left
 * out. What the program provides stays an import.
 * @throws PincerError `bundler_missing`
 */
export async function packWithEsbuild(
  entries: readonly string[],
  options: PackOptions,
): Promise<PackedModules> {
  const esbuild = loadEsbuild(options.dir);
  const modules = new Map<string, CollectedModule>();
  const problems: CollectProblem[] = [];
  const files = new Set<string>();
  const tell = (level: CollectProblem['level'], entry: string, messages: readonly Message[]): void => {
    for (const { text, location } of messages)
      problems.push({
        ...{ level, message: text },
        path: location == null ? entry : resolve(options.dir, location.file),
        ...(location == null ? {} : { line: location.line }),
      });
  };
  for (const entry of entries) {
    try {
      const { outputFiles, warnings, metafile } = await esbuild.build({
        entryPoints: [entry],
        absWorkingDir: options.dir,
        bundle: true,
        format: 'cjs',
        platform: 'node',
        target: 'node22',
        // A bundle loads nothing by itself: all that is imported goes through its own require.
        supported: { 'dynamic-import': false },
        treeShaking: true,
        minify: options.minify,
        write: false,
        metafile: true,
        logLevel: 'silent',
        plugins: [keepProvided(options)],
      });
      tell('warn', entry, warnings);
      for (const input of Object.keys(metafile.inputs)) files.add(resolve(options.dir, input));
      const code = outputFiles.map(({ text }) => text).join('\n');
      modules.set(entry, {
        path: entry,
        imports: new Map(),
        compiled: { format: 'commonjs', waits: false, code },
      });
    } catch (error) {
      const { errors } = error as { readonly errors?: readonly Message[] };
      tell('error', entry, errors ?? [{ text: errorMessage(error) }]);
    }
  }
  return { modules, problems, files: [...files] };
}

interface Message {
  readonly text: string;
  /** `file` is relative to the working folder; lines are 1-based. */
  readonly location?: { readonly file: string; readonly line: number } | null;
}

/** The parts of esbuild's API that are used here; the project brings it, in a version of its own. */
interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly { readonly text: string }[];
    readonly warnings: readonly Message[];
    readonly metafile: { readonly inputs: Readonly<Record<string, unknown>> };
  }>;
}

function loadEsbuild(dir: string): Esbuild {
  try {
    const loaded: unknown = createRequire(join(dir, 'agent.yml'))('esbuild');
    if (isRecord(loaded) && typeof loaded['build'] === 'function') return loaded as unknown as Esbuild;
    throw new Error('it has no build()');
  } catch (error) {
    throw new PincerError('bundler_missing', `esbuild can not be used from ${dir}: ${errorMessage(error)}`, {
      hint: `Run npm install --save-dev esbuild in ${dir}, or leave --bundler away.`,
      cause: error,
    });
  }
}

interface Resolving {
  readonly path: string;
  readonly kind: string;
  readonly resolveDir: string;
  readonly pluginData?: unknown;
}

interface PluginBuild {
  onResolve(
    options: { readonly filter: RegExp },
    resolve: (args: Resolving) => Promise<object | undefined> | object | undefined,
  ): void;
  resolve(path: string, options: object): Promise<{ readonly errors: readonly unknown[] }>;
}

/** What stands in for packages here is left to the program; libraries only where the project has none of its own. */
function keepProvided({ provided, libraries }: PackOptions) {
  const looked = {};
  return {
    name: 'provided',
    setup(build: PluginBuild): void {
      // Without flags: esbuild reads it as one of Go's.
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === looked) return undefined;
        if (provided(path) !== undefined) return { path, external: true };
        if (libraries(path) === undefined) return undefined;
        const own = await build.resolve(path, { kind, resolveDir, pluginData: looked });
        return own.errors.length === 0 ? own : { path, external: true };
      });
    },
  };
}
