// Threat: a bundle is code that runs with all rights of the user. Only one that the user names on the command line is opened, never one
// that a workspace brings or names.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { parseAgentFile } from '../agentFile/parseAgentFile.ts';
import type { AgentFileInput, AgentFileReading } from '../agentFile/readAgentFile.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { ModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import { loadFailure } from '../load/loadFailure.ts';
import type { ResolveDextoModule } from '../load/loadTypes.ts';
import { realPathOr } from '../../plugins/realPathOr.ts';
import { agentBundleSchema, bundleFormat, type AgentBundle } from './agentBundle.ts';
import { createBundleModules } from './createBundleModules.ts';

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
    : `${path} is no bundle of pincer.`;
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
