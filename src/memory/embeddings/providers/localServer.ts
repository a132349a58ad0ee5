import { withPrompt } from './modelPrompts.ts';
import type { EmbeddingProvider } from './embeddingProvider.ts';
import { readIndexedVectors } from './readIndexedVectors.ts';

/**
 * A server of the user's own with `/v1/embeddings`: Ollama, LM Studio, llama-server. It is asked only where
 * `memory.local.baseUrl` names it; nothing on the machine is probed unasked.
 */
export const localServer: EmbeddingProvider = {
  id: 'local',
  name: 'Local server',
  baseUrl: undefined,
  basePath: '/v1',
  model: 'nomic-embed-text',
  maxTokens: 1_000,
  maxTexts: 64,
  keyVariable: undefined,
  dimensions: () => undefined,
  path: () => '/embeddings',
  headers: () => ({}),
  body: ({ model, texts, use }) => ({
    model,
    input: texts.map((text) => withPrompt(model, use, text)),
    encoding_format: 'float',
  }),
  read: readIndexedVectors,
};

const serversByPort: Readonly<Record<string, string>> = {
  '11434': 'Ollama',
  '1234': 'LM Studio',
  '8080': 'llama-server',
};

/** `Ollama at localhost:11434`, by the port it uses unless told otherwise. */
export function localServerName(url: URL): string {
  return `${serversByPort[url.port] ?? localServer.name} at ${url.host}`;
}
