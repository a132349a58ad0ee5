import { basename, isAbsolute, join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Host } from '../host/ports.ts';
import { createPluginEmbedders } from '../plugins/providers/askHostProvider.ts';
import type { HostProvider } from '../plugins/providers/pluginProvider.ts';
import { type ConfigurableMemory, createMemory } from '../memory/worker/createMemory.ts';
import type { MemoryRoot, MemorySettings } from '../memory/memorySettings.ts';
import type { RuntimeInput } from './runtime.ts';

interface OpenMemoryParts {
  readonly input: RuntimeInput;
  readonly folders: () => readonly string[];
  readonly config: () => PincerConfig;
  readonly isTrusted: () => boolean;
  /** The embedding provider of a loaded plugin, by its id. */
  readonly embedder: (id: string) => HostProvider | undefined;
  /** Takes secrets out of what plugins say. */
  readonly redact: (text: string) => string;
}

/** The memory over the workspace's folders. Its thread starts at the first need. */
export function openMemory(parts: OpenMemoryParts): ConfigurableMemory {
  const { input, folders, config, isTrusted, embedder, redact } = parts;
  const { host, stateFolder } = input;
  const { workerFile, wasmFile } = input.memoryFiles ?? {
    workerFile: join(input.dist, 'memoryWorker.js'),
    wasmFile: join(input.dist, 'sql-wasm.wasm'),
  };
  const embedders = createPluginEmbedders(embedder, { clock: host.clock, log: host.log, redact });
  const memory = createMemory({
    ...host,
    workerFile,
    place: { folder: join(stateFolder, 'memory'), wasmFile },
    isEnabled: () => config().memory.enabled,
    settings: async () => ({
      ...(await settingsOf(input, folders(), config())),
      ...pluginEmbedderOf(embedder, config()),
      isTrusted: isTrusted(),
    }),
    askPluginEmbedder: embedders.ask,
  });
  return {
    ...memory,
    async reconfigure() {
      await embedders.closeStale();
      await memory.reconfigure();
    },
    async close() {
      await Promise.all([memory.close(), embedders.close()]);
    },
  };
}

function pluginEmbedderOf(
  find: OpenMemoryParts['embedder'],
  { memory: { embeddings } }: PincerConfig,
): Pick<MemorySettings, 'pluginEmbedder'> {
  const found = find(embeddings.provider);
  if (found === undefined) return {};
  const { id, pluginId, label, defaultModel } = found;
  return { pluginEmbedder: { id, pluginId, label, model: embeddings.model ?? defaultModel ?? 'default' } };
}

async function settingsOf(
  { host, stateFolder, memoryGlobs }: RuntimeInput,
  folders: readonly string[],
  { memory }: PincerConfig,
): Promise<Omit<MemorySettings, 'isTrusted'>> {
  const { include, exclude, sources, chunking, query, embeddings } = memory;
  return {
    roots: folders.map((path): MemoryRoot => {
      const globs = memoryGlobs?.(path);
      return {
        path,
        name: basename(path),
        exclude: globs?.exclude ?? [],
        ...(globs?.include === undefined ? {} : { include: globs.include }),
      };
    }),
    include,
    exclude,
    extraPaths: extraPathsOf(memory, host.userHome),
    sources,
    sessionsFolder: join(stateFolder, 'sessions'),
    chunking,
    query,
    embeddings,
    keys: await keysOf(host, memory.embeddings.remote.apiKey),
  };
}

/** Absolute paths of what the user's config adds to the memory. */
export function extraPathsOf({ extraPaths }: PincerConfig['memory'], home: string): readonly string[] {
  return extraPaths.flatMap((path) => absolutePath(path, home));
}

/** The config takes no others than these; what another system calls absolute says nothing here. */
function absolutePath(path: string, home: string): readonly string[] {
  if (/^~[\\/]/u.test(path)) return [join(home, path.slice(2))];
  return isAbsolute(path) ? [path] : [];
}

async function keysOf(
  { env, secrets }: Host,
  reference: { readonly secret: string } | { readonly env: string } | undefined,
): Promise<MemorySettings['keys']> {
  const remote =
    reference === undefined
      ? undefined
      : 'env' in reference
        ? env[reference.env]
        : await secrets.get(reference.secret);
  const found = {
    remote,
    openai: env['OPENAI_API_KEY'],
    gemini: env['GEMINI_API_KEY'] ?? env['GOOGLE_API_KEY'],
    voyage: env['VOYAGE_API_KEY'],
  };
  return Object.fromEntries(Object.entries(found).filter(([, key]) => key !== undefined && key !== ''));
}

/** The config was read and the memory could not follow it. */
export function memoryNotChanged(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'memory_not_changed',
    message: `The memory could not apply its new settings: ${errorMessage(error)}`,
    hint: 'Run "Pincer: Reload All Plugins" to try again.',
  };
}
