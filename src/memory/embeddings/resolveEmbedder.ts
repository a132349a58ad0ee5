import { PincerError } from '../../base/errors.ts';
import type { EmbeddingConfig } from '../../config/sections/memorySection.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { Embedder, ResolvedEmbedder } from './embedder.ts';
import type { EmbeddingDeps } from './embeddingDeps.ts';
import { reasonOf } from './errors.ts';
import { resolveLocal } from './local/resolveLocal.ts';
import type { EmbeddingProvider } from './providers/embeddingProvider.ts';
import { remoteProviders } from './providers/embeddingProviders.ts';
import { createRemoteEmbedder } from './remote/createRemoteEmbedder.ts';

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
