import { isRecord } from '../../base/json.ts';
import type { EmbeddingUse } from './embedder.ts';

interface EmbeddingQuestion {
  readonly model: string;
  readonly texts: readonly string[];
  readonly use: EmbeddingUse;
}

/** How one provider is asked: one row of the table, and nothing that holds state. */
export interface EmbeddingProvider {
  readonly id: 'openai' | 'gemini' | 'voyage' | 'local';
  /** For people. */
  readonly name: string;
  /** Its own address, without a slash at the end; undefined where only the user knows it. */
  readonly baseUrl: string | undefined;
  /** What stands after the host where an address names nothing. */
  readonly basePath: string;
  readonly model: string;
  /**
   * Where one text is cut, in estimated tokens: half of what the provider takes, since code and rare scripts can need twice
   * the estimate.
   */
  readonly maxTokens: number;
  /** Texts of one request. */
  readonly maxTexts: number;
  /** The environment variable that usually holds the key; undefined where none is needed. */
  readonly keyVariable: string | undefined;
  /** Numbers of one vector that are asked for; undefined leaves it to the model. */
  dimensions(model: string): number | undefined;
  /** Below the base address, with a slash first. */
  path(model: string): string;
  headers(key: string): Readonly<Record<string, string>>;
  /** The body, as JSON. */
  body(question: EmbeddingQuestion): unknown;
  /** The vectors in the order of the texts, not checked yet; undefined where the answer is none. */
  read(answer: unknown): readonly unknown[] | undefined;
}

/**
 * OpenAI, and with `memory.remote.baseUrl` whatever else speaks its protocol. Asks for short vectors where the model can give
 * them: half the numbers keep nearly all of the meaning, and an index of 20,000 passages below 65 MB.
 */
export const openAi: EmbeddingProvider = {
  id: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  basePath: '/v1',
  model: 'text-embedding-3-small',
  maxTokens: 4_000,
  maxTexts: 2_048,
  keyVariable: 'OPENAI_API_KEY',
  dimensions: openAiDimensions,
  path: () => '/embeddings',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body({ model, texts }) {
    const dimensions = openAiDimensions(model);
    return {
      model,
      input: texts,
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    };
  },
  read: readIndexedVectors,
};

function openAiDimensions(model: string): number | undefined {
  return model.startsWith('text-embedding-3-') ? 768 : undefined;
}

const taskTypes = { query: 'RETRIEVAL_QUERY', passage: 'RETRIEVAL_DOCUMENT' } as const;

/** Google's Gemini API: `models/{model}:batchEmbedContents`. The key travels in a header, never in the address. */
export const gemini: EmbeddingProvider = {
  id: 'gemini',
  name: 'Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  basePath: '/v1beta',
  model: 'gemini-embedding-001',
  maxTokens: 1_000,
  maxTexts: 100,
  keyVariable: 'GEMINI_API_KEY',
  dimensions: geminiDimensions,
  path: (model) => `/models/${encodeURIComponent(model)}:batchEmbedContents`,
  headers: (key) => ({ 'x-goog-api-key': key }),
  body({ model, texts, use }) {
    const dimensions = geminiDimensions(model);
    return {
      requests: texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        taskType: taskTypes[use],
        ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      })),
    };
  },
  read(answer) {
    const embeddings = isRecord(answer) ? answer['embeddings'] : undefined;
    if (!Array.isArray(embeddings)) return undefined;
    return embeddings.map((each: unknown) => (isRecord(each) ? each['values'] : undefined));
  },
};

function geminiDimensions(model: string): number | undefined {
  return model.startsWith('gemini-embedding-') ? 768 : undefined;
}

/** Voyage AI: OpenAI's protocol with `input_type`. */
export const voyage: EmbeddingProvider = {
  id: 'voyage',
  name: 'Voyage',
  baseUrl: 'https://api.voyageai.com/v1',
  basePath: '/v1',
  model: 'voyage-4-lite',
  maxTokens: 8_000,
  maxTexts: 128,
  keyVariable: 'VOYAGE_API_KEY',
  dimensions: () => undefined,
  path: () => '/embeddings',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, texts, use }) => ({
    model,
    input: texts,
    input_type: use === 'query' ? 'query' : 'document',
  }),
  read: readIndexedVectors,
};

/** Those that a key opens, in the order of the chain (OpenClaw core flow). */
export const remoteProviders: readonly EmbeddingProvider[] = [openAi, gemini, voyage];

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

/**
 * The vectors of `{data: [{index, embedding}]}` in the order of their indexes, which is not always the order they come in.
 * Undefined where there is no such list, or where its indexes are not each place once.
 */
export function readIndexedVectors(answer: unknown): readonly unknown[] | undefined {
  const data = isRecord(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data)) return undefined;
  const vectors = new Map<unknown, unknown>();
  for (const [place, item] of data.entries()) {
    if (!isRecord(item)) return undefined;
    // A few servers leave the index out, and then keep the order.
    vectors.set(item['index'] ?? place, item['embedding']);
  }
  const places = data.map((_item, place) => place);
  return places.every((place) => vectors.has(place)) ? places.map((place) => vectors.get(place)) : undefined;
}

/** What open models were trained to read before a text; without it they find clearly less. By a part of their names. */
const prompts: readonly { readonly model: RegExp; readonly query: string; readonly passage: string }[] = [
  { model: /nomic-embed/u, query: 'search_query: ', passage: 'search_document: ' },
  {
    model: /embedding-?gemma/u,
    query: 'task: search result | query: ',
    passage: 'title: none | text: ',
  },
  {
    model: /qwen3-embedding/u,
    query: 'Instruct: Given a question, find the passages that answer it\nQuery: ',
    passage: '',
  },
  {
    model: /mxbai-embed|snowflake-arctic-embed|bge-(?:small|base|large)-en/u,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
  { model: /(?:^|[-/_])e5-/u, query: 'query: ', passage: 'passage: ' },
];

/** The text as a local model of this name wants it; unchanged for one that is not known. */
export function withPrompt(model: string, use: EmbeddingUse, text: string): string {
  const name = model.toLowerCase();
  const prompt = prompts.find((each) => each.model.test(name));
  return prompt === undefined ? text : `${prompt[use]}${text}`;
}
