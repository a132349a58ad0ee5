import type { VectorSpace } from '../store/rows.ts';

/** Turns texts into vectors of length 1 (OpenClaw core flow, embedding provider chain). */
export interface Embedder {
  /** Which vectors of the index are comparable with these. */
  readonly space: VectorSpace;
  /** For people: `OpenAI`, `Ollama at localhost:11434`, `node-llama-cpp`. */
  readonly name: string;
  /** What one text may hold, in tokens; longer ones are cut. */
  readonly maxTokens: number;
  /** @throws PincerError `embedding_failed` (worth another try), `embedding_refused` (key, model or address is wrong), `cancelled` */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  /** In the order of the texts; in batches, with back-off. Throws as `embedQuery`. */
  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** Frees what a local model holds. */
  close(): Promise<void>;
}

/** The first of the chain that can be had, and why those before it can't. */
export interface ResolvedEmbedder {
  readonly embedder?: Embedder;
  /** One sentence for each step that was passed over, or why there is none at all. */
  readonly reasons: readonly string[];
}
