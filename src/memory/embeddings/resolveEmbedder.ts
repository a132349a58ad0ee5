import { dirname, extname, isAbsolute, join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import { type EmbeddingConfig, embeddingProviders } from '../../config/sections/memorySection.ts';
import type { Clock, FileStat, FileSystem, HttpClient } from '../../host/ports.ts';
import type { MemorySettings, PluginEmbedder } from '../memorySettings.ts';
import {
  createLocalEmbedder,
  llamaRuntime,
  type LocalRuntime,
  transformersRuntime,
} from './createLocalEmbedder.ts';
import { type AskPluginEmbedder, createPluginEmbedder } from './createPluginEmbedder.ts';
import { createRemoteEmbedder } from './createRemoteEmbedder.ts';
import { type Embedder, reasonOf, type ResolvedEmbedder } from './embedder.ts';
import type { FindPackage } from './findPackage.ts';
import { type EmbeddingProvider, localServer, localServerName, remoteProviders } from './providers.ts';

/** What the providers of embeddings need of the machine. */
interface EmbeddingDeps {
  readonly fs: Pick<FileSystem, 'stat' | 'readText'>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly findPackage: FindPackage;
  /** The provider of a plugin that the config names, where it is loaded. */
  readonly pluginEmbedder?: PluginEmbedder | undefined;
  /** Absent, there are no plugins. */
  readonly askPluginEmbedder?: AskPluginEmbedder;
  /** For paths that begin with `~/`. */
  readonly userHome: string;
}

type Keys = MemorySettings['keys'];

interface Step {
  readonly id: 'local' | EmbeddingProvider['id'];
  /** The embedder, or one sentence why there is none. */
  take(): Promise<Embedder | string> | Embedder | string;
}

/**
 * The first of the chain that can be had (OpenClaw core flow: local, OpenAI, Gemini, Voyage, none), and one sentence for each that was
 * passed over. A provider that was chosen by name is taken or reported, never replaced. Asks no server and loads no model:
 * that comes with the first text.
 */
export async function resolveEmbedder(
  config: EmbeddingConfig,
  keys: Keys,
  deps: EmbeddingDeps,
): Promise<ResolvedEmbedder> {
  if (config.provider === 'none')
    return { reasons: ['Embeddings are switched off: memory.provider is none.'] };
  if (!isBuiltIn(config.provider)) {
    const { pluginEmbedder, askPluginEmbedder } = deps;
    if (pluginEmbedder !== undefined && askPluginEmbedder !== undefined)
      return { embedder: createPluginEmbedder(pluginEmbedder, askPluginEmbedder), reasons: [] };
    return { reasons: [noSuchProvider(config.provider)] };
  }
  const chain = stepsOf(config, keys, deps);
  const steps = config.provider === 'auto' ? chain : chain.filter(({ id }) => id === config.provider);
  const reasons: string[] = [];
  for (const step of steps) {
    const taken = await takeStep(step);
    if (typeof taken !== 'string') return { embedder: taken, reasons };
    reasons.push(taken);
  }
  return { reasons };
}

function isBuiltIn(provider: string): boolean {
  return embeddingProviders.some((each) => each === provider);
}

function noSuchProvider(id: string): string {
  return `No plugin that is loaded has registered the embedding provider "${inertLine(id, 80)}" (memory.provider). Enable its plugin, or set one of ${embeddingProviders.join(', ')}.`;
}

async function takeStep(step: Step): Promise<Embedder | string> {
  try {
    return await step.take();
  } catch (error) {
    if (error instanceof PincerError) return reasonOf(error);
    throw error;
  }
}

function stepsOf(config: EmbeddingConfig, keys: Keys, deps: EmbeddingDeps): readonly Step[] {
  return [
    { id: 'local', take: () => resolveLocal(config, deps) },
    ...remoteProviders.map((provider) => ({
      id: provider.id,
      take: () => resolveRemote(provider, config, keys, deps),
    })),
  ];
}

/**
 * `memory.remote` belongs to the provider that was chosen by name, and in `auto` to OpenAI: a key must not reach a provider
 * that the user did not mean.
 */
function resolveRemote(
  provider: EmbeddingProvider,
  config: EmbeddingConfig,
  keys: Keys,
  { http, clock }: EmbeddingDeps,
): Embedder | string {
  const isMeant = config.provider === provider.id || provider.id === 'openai';
  const key =
    (isMeant ? keys.remote : undefined) ?? (provider.id === 'local' ? undefined : keys[provider.id]);
  const baseUrl = (isMeant ? config.remote.baseUrl : undefined) ?? provider.baseUrl;
  const keyNames = [provider.keyVariable, ...(isMeant ? ['memory.remote.apiKey'] : [])].join(' or ');
  if (key === undefined || baseUrl === undefined) return `${provider.name}: no key (${keyNames}).`;
  // Threat: a key that another program needs lies in the environment, and notes go out for it though nobody asked.
  if (!config.isChosen)
    return `${provider.name}: a key is there (${provider.keyVariable ?? ''}) and is not used unasked; set memory.provider to auto or ${provider.id}.`;
  const model = config.model ?? provider.model;
  return createRemoteEmbedder({ provider, baseUrl, model, key: key.trim(), http, clock });
}

/**
 * The server that `memory.local.baseUrl` names, else the model file; or one sentence why neither can be had.
 *
 * @throws PincerError `embedding_refused` for an address that must not be used.
 */
async function resolveLocal(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<Embedder | string> {
  const { baseUrl, modelPath } = config.local;
  if (baseUrl !== undefined) return openServer(baseUrl, config.model, deps);
  if (modelPath === undefined) {
    return 'Local: neither memory.local.baseUrl nor memory.local.modelPath is set.';
  }
  return await openModel(expandHome(modelPath, deps.userHome), config, deps);
}

function openServer(baseUrl: string, model: string | undefined, { http, clock }: EmbeddingDeps): Embedder {
  const name = URL.canParse(baseUrl) ? localServerName(new URL(baseUrl)) : localServer.name;
  const chosen = model ?? localServer.model;
  return createRemoteEmbedder({ provider: localServer, name, baseUrl, model: chosen, key: '', http, clock });
}

async function openModel(
  modelPath: string,
  { local }: EmbeddingConfig,
  deps: EmbeddingDeps,
): Promise<Embedder | string> {
  const stat = isAbsolute(modelPath) ? await deps.fs.stat(modelPath) : undefined;
  if (stat === undefined) return `Local: there is no model at ${modelPath} (memory.local.modelPath).`;
  const runtime = runtimeFor(modelPath, stat, deps);
  if (runtime === undefined) {
    return `Local: ${modelPath} is neither a .gguf file nor a folder with an ONNX model.`;
  }
  const from =
    local.runtimePath === undefined ? dirname(modelPath) : expandHome(local.runtimePath, deps.userHome);
  const { packageName } = runtime;
  const found = await deps.findPackage(packageName, from);
  if (found === undefined) {
    return (
      `Local: ${packageName} is not installed in ${from} or above. Run there: npm install ${packageName}, ` +
      'or name the folder that has it in memory.local.runtimePath.'
    );
  }
  return createLocalEmbedder({ runtime, found, modelPath, version: await versionOf(modelPath, stat, deps) });
}

function runtimeFor(modelPath: string, stat: FileStat, { fs }: EmbeddingDeps): LocalRuntime | undefined {
  if (stat.kind === 'directory') return transformersRuntime(fs);
  return stat.kind === 'file' && extname(modelPath).toLowerCase() === '.gguf' ? llamaRuntime : undefined;
}

/** Another file at the same place is another model. */
async function versionOf(modelPath: string, stat: FileStat, { fs }: EmbeddingDeps): Promise<string> {
  const seen = stat.kind === 'directory' ? await fs.stat(join(modelPath, 'onnx')) : stat;
  return seen === undefined ? '' : `${String(seen.size)} ${String(seen.mtimeMs)}`;
}

function expandHome(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}
