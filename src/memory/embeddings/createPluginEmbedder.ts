import type { PluginEmbedder } from '../memorySettings.ts';
import {
  createVectorReader,
  cutToTokens,
  type Embedder,
  embeddingFailed,
  type EmbeddingUse,
  fingerprint,
  planBatches,
} from './embedder.ts';

/** What the window is asked to embed. */
export interface EmbeddingRequest {
  readonly provider: PluginEmbedder;
  readonly texts: readonly string[];
  readonly use: EmbeddingUse;
}

/** Asks the plugin in the window for a vector of each text. @throws PincerError `plugin_provider_failed`, `cancelled` */
export type AskPluginEmbedder = (
  request: EmbeddingRequest,
  signal: AbortSignal,
) => Promise<readonly unknown[]>;

/** Estimated tokens of one text; passages are shorter. */
const maxTokens = 8_000;
const batch = { maxTexts: 64, maxTokens: 16_000 };

/** The embedding provider of a plugin, which lives in the window (OpenClaw documentation, Plugin SDK capability registration). */
export function createPluginEmbedder(provider: PluginEmbedder, ask: AskPluginEmbedder): Embedder {
  const { id, pluginId, label, model } = provider;
  const who = `The embedding provider "${id}" of plugin "${pluginId}"`;
  const readVectors = createVectorReader(who);

  const embed = async (
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = [];
    const cut = texts.map((text) => cutToTokens(text, maxTokens));
    for (const part of planBatches(cut, (text) => text, batch)) {
      const answer = await ask({ provider, texts: part, use }, signal);
      vectors.push(...readVectors(answer, part.length));
    }
    return vectors;
  };

  return {
    space: {
      provider: `plugin:${pluginId}/${id}`,
      model,
      providerKey: fingerprint(['plugin', pluginId, id, model]),
    },
    name: label,
    maxTokens,
    async embedQuery(text, signal) {
      const [vector] = await embed([text], 'query', signal);
      if (vector === undefined) throw embeddingFailed(who, 'sent no embedding.');
      return vector;
    },
    embedPassages: (texts, signal) => embed(texts, 'passage', signal),
    close: () => Promise.resolve(),
  };
}
