// Threat: a bundle is code that runs with all rights of the user. Only one that the user names on the command line is opened, never one
// that a workspace brings or names.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { parseAgentFile } from '../agentFile/parseAgentFile.ts';
import type { AgentFileInput, AgentFileReading } from '../agentFile/readAgentFile.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { ModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import { loadFailure } from '../load/loadFailure.ts';
import type { ResolveDextoModule } from '../load/loadTypes.ts';
import { realPathOr } from '../../plugins/realPathOr.ts';
import {
  agentBundleSchema,
  bundleFormat,
  type AgentBundle,
  importKey,
  type BundledModule,
} from './agentBundle.ts';
import { createLibraries } from '../../plugins/openclaw/createLibraries.ts';
import { pluginFolderName } from '../../plugins/pluginFolderName.ts';
import type { CompiledModule } from '../../plugins/load/compileModule.ts';
import { createModuleGraph } from '../../plugins/load/createModuleGraph.ts';
import type { RequestKind } from '../../plugins/load/createResolver.ts';
import { moduleNotFound } from '../../plugins/load/moduleErrors.ts';
import { protectGlobals } from '../../plugins/register/protectGlobals.ts';
import { createDextoModules } from '../load/createDextoModules.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';

/** A bundle in place of an agent file and the files of its plugins. */
interface OpenBundle {
  /** Absolute; stands for the agent file in messages. */
  readonly path: string;
  /** In place of the reader of YAML files. The agent file counts as the user's own. */
  readAgentFile(fs: FileSystem, input: AgentFileInput): Promise<AgentFileReading>;
  /** Where the code of a plugin lies: in the bundle. */
  readonly resolve: ResolveDextoModule;
  /** In place of the loader of files. */
  modules(stateDir: string): ModuleLoader;
}

/**
 * Opens a bundle; none of its plugins runs before it is loaded.
 * @param path absolute
 * @throws PincerError `bundle_unreadable`, `bundle_invalid`
 */
export function openBundle(path: string): OpenBundle {
  const bundle = readBundle(path);
  return {
    path,
    readAgentFile: async (fs, { path: named, roots, env, builtIns }) => {
      const real = await Promise.all(roots.map((root) => realPathOr(fs, root)));
      const [projectDir] = real;
      const { text, prompts } = bundle.agent;
      const reading = parseAgentFile({
        ...{ text, path: named, dir: dirname(path), origin: 'user', projectDir, env, builtIns },
        roots: [...roots, ...real],
      });
      return reading.file === undefined ? reading : { ...reading, file: withPrompts(reading.file, prompts) };
    },
    resolve: (entry, agent) => {
      const plugin = Object.hasOwn(bundle.plugins, entry.name) ? bundle.plugins[entry.name] : undefined;
      if (plugin === undefined) return Promise.resolve(notBundled(entry, agent.path));
      const { version } = plugin;
      return Promise.resolve({
        ...{ ok: true as const, source: path, isProvided: true },
        ...(version === undefined ? {} : { version }),
      });
    },
    modules: (stateDir) => createBundleModules({ bundle, path, stateDir }),
  };
}

function readBundle(path: string): AgentBundle {
  const exported = evaluate(path);
  const read = agentBundleSchema.safeParse(exported);
  if (read.success) return read.data;
  const format = (exported as { readonly format?: unknown } | null | undefined)?.format;
  const isNewer = typeof format === 'number' && format > bundleFormat;
  const message = isNewer
    ? `${path} was made by a newer version of this program.`
    : `${path} is not a bundle of pincer.`;
  throw new PincerError('bundle_invalid', message, { hint: 'Make it with this version: pincer bundle.' });
}

function evaluate(path: string): unknown {
  if (!existsSync(path)) {
    throw new PincerError('bundle_unreadable', `There is no file ${path}.`, {
      hint: 'Make a bundle with pincer bundle.',
    });
  }
  try {
    return createRequire(path)(path) as unknown;
  } catch (error) {
    throw new PincerError('bundle_unreadable', `${path} can not be opened: ${errorMessage(error)}`, {
      hint: 'Name a file that pincer bundle has written.',
      cause: error,
    });
  }
}

/** Texts of the system prompt came from files, which are not there any more. */
function withPrompts(
  file: NonNullable<AgentFileReading['file']>,
  prompts: AgentBundle['agent']['prompts'],
): NonNullable<AgentFileReading['file']> {
  return {
    ...file,
    systemPrompt: file.systemPrompt.map((part) => {
      const content = part.type === 'file' && Object.hasOwn(prompts, part.id) ? prompts[part.id] : undefined;
      return content === undefined ? part : { id: part.id, type: 'static', priority: part.priority, content };
    }),
  };
}

function notBundled(entry: Parameters<ResolveDextoModule>[0], agentFile: string) {
  return loadFailure({
    ...{ entry, agentFile },
    phase: 'load',
    code: 'PLUGIN_LOAD_FAILED',
    message: `plugin '${entry.name}' is not in the bundle`,
    hint: 'Make the bundle again: pincer bundle.',
  });
}

interface BundleModulesParts {
  readonly bundle: AgentBundle;
  /** Absolute path of the bundle: its modules are told to lie beside it, where no files need to be. */
  readonly path: string;
  /** Holds `plugin-state/<plugin>`. */
  readonly stateDir: string;
}

/** The module loader over a bundle's registry: what it loads is found by the plugin's name, and no file is read (Dexto plugin specification, Modified Plugin Loader). */
function createBundleModules({ bundle, path: bundlePath, stateDir }: BundleModulesParts): ModuleLoader {
  const { modules, plugins } = bundle;
  const root = dirname(bundlePath);
  const libraries = createLibraries();
  const pathOf = (key: string): string => join(root, ...key.split('/'));
  const keyOf = (path: string): string => relative(root, path).split(sep).join('/');

  const moduleAt = (path: string): BundledModule => {
    const key = keyOf(path);
    const module = Object.hasOwn(modules, key) ? modules[key] : undefined;
    if (module === undefined) throw new Error(`${key} is not in the bundle`);
    return module;
  };

  const resolve = (request: string, from: string, kind: RequestKind): string => {
    if (Object.hasOwn(modules, keyOf(request))) return request;
    const imports = Object.hasOwn(modules, keyOf(from)) ? (moduleAt(from).imports ?? {}) : {};
    // Older bundles know one file by each name.
    const name = [importKey(request, kind), request].find((each) => Object.hasOwn(imports, each));
    const target = name === undefined ? undefined : imports[name];
    if (target === undefined)
      throw moduleNotFound(request, `${from} (a bundle holds what is imported by name)`);
    return pathOf(target);
  };

  const compile = (path: string, async: boolean): CompiledModule => {
    const { format, body, waitingBody } = moduleAt(path);
    if (format === 'json') throw new Error(`${keyOf(path)} is no code`);
    const chosen = async ? (waitingBody ?? body) : (body ?? waitingBody);
    if (chosen === undefined) throw new Error(`${keyOf(path)} has no code in the bundle`);
    return { format, waits: chosen === waitingBody, body: chosen, code: '' };
  };

  return {
    forget: () => undefined,
    async load({ id, onRepaired }) {
      const name = id.slice(dextoIdPrefix.length);
      const plugin = Object.hasOwn(plugins, name) ? plugins[name] : undefined;
      if (plugin === undefined) {
        throw new PincerError('bundle_plugin_missing', `The bundle holds no plugin "${name}".`, {
          hint: 'Make the bundle again: pincer bundle.',
        });
      }
      const graph = createModuleGraph({
        pluginId: id,
        rootDir: root,
        resolver: { resolve },
        source: { compile, readJson: (path) => structuredClone(moduleAt(path).data), nameOf: (path) => path },
        provided: createDextoModules({
          name,
          stateDir: join(stateDir, 'plugin-state', pluginFolderName(id)),
        }),
        libraries,
      });
      const { result, repaired, lost } = protectGlobals(() => graph.load(pathOf(plugin.entry)));
      if (repaired.length + lost.length > 0) onRepaired?.(repaired, lost);
      return await result;
    },
  };
}
