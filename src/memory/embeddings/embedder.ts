import { createHash } from 'node:crypto';
import { PincerError } from '../../base/errors.ts';
import { estimateTokens } from '../markdown/tokens.ts';
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

/** What texts are embedded for: most models want to know. */
export type EmbeddingUse = 'query' | 'passage';

/** Another attempt may help: the network, a limit, a server that falters, an answer that is none. `what` is a clause. */
export function embeddingFailed(who: string, what: string, hint = ''): PincerError {
  return new PincerError('embedding_failed', `${who} ${what}`, hint === '' ? {} : { hint });
}

/** It stays so until somebody changes the key, the model, the address or what is installed. */
export function embeddingRefused(who: string, what: string, hint: string): PincerError {
  return new PincerError('embedding_refused', `${who} ${what}`, { hint });
}

/** The sentence with what to do about it, for people. */
export function reasonOf(error: PincerError): string {
  const message = /[.!?…]$/u.test(error.message) ? error.message : `${error.message}.`;
  return error.hint === undefined ? message : `${message} ${error.hint}`;
}

/** True where waiting does not help. */
export function isRefused(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'embedding_refused';
}

/** True where the user or the end of the window stopped it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'cancelled';
}

/** 16 hexadecimal digits that differ where a part differs; no part can be read from it. */
export function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

interface BatchLimits {
  readonly maxTexts: number;
  /** Estimated; a text above it is a batch of its own. */
  readonly maxTokens: number;
}

/** The items in their order, in groups that each fit into one request; taken from the source when they are asked for. */
export function* planBatches<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  limits: BatchLimits,
): Generator<readonly T[]> {
  let open: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const cost = estimateTokens(textOf(item));
    if (open.length > 0 && (open.length >= limits.maxTexts || tokens + cost > limits.maxTokens)) {
      yield open;
      open = [];
      tokens = 0;
    }
    open.push(item);
    tokens += cost;
  }
  if (open.length > 0) yield open;
}

/** The text up to `maxTokens` estimated tokens. Halves of surrogate pairs, which some servers refuse, become U+FFFD. */
export function cutToTokens(text: string, maxTokens: number): string {
  return cut(text, maxTokens).replace(/\p{Surrogate}/gu, '\uFFFD');
}

function cut(text: string, maxTokens: number): string {
  if (text.length <= maxTokens || estimateTokens(text) <= maxTokens) return text;
  // The estimate grows with the length, so the place is found by halving.
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  const splitsPair = /[\uD800-\uDBFF]/u.test(text.charAt(fits - 1));
  return text.slice(0, splitsPair ? fits - 1 : fits);
}

/** The vectors with length 1, or what is wrong with them: a clause after the provider's name. */
type CheckedVectors = { readonly vectors: readonly Float32Array[] } | { readonly fault: string };

/** `count`: texts that were sent. `dimensions`: what earlier answers had; undefined before the first. */
export function checkVectors(
  raw: readonly unknown[] | undefined,
  count: number,
  dimensions: number | undefined,
): CheckedVectors {
  if (raw === undefined) return { fault: 'sent an answer that holds no embeddings.' };
  if (raw.length !== count) {
    return { fault: `sent ${String(raw.length)} embeddings for ${String(count)} texts.` };
  }
  const vectors: Float32Array[] = [];
  for (const each of raw) {
    const numbers = readNumbers(each);
    if (numbers === undefined) return { fault: 'sent an embedding that is no list of numbers.' };
    const expected = dimensions ?? vectors[0]?.length ?? numbers.length;
    if (numbers.length !== expected) {
      return {
        fault: `sent an embedding of ${String(numbers.length)} numbers where others have ${String(expected)}.`,
      };
    }
    vectors.push(normalizeEmbedding(numbers));
  }
  return { vectors };
}

/**
 * Reads the answers of one provider: its first says how many numbers all others have.
 * @throws PincerError `embedding_failed` where an answer is not what `checkVectors` asks for
 */
export function createVectorReader(
  who: string,
): (raw: readonly unknown[] | undefined, count: number) => readonly Float32Array[] {
  let dimensions: number | undefined;
  return (raw, count) => {
    const checked = checkVectors(raw, count, dimensions);
    if ('fault' in checked) throw embeddingFailed(who, checked.fault);
    dimensions ??= checked.vectors[0]?.length;
    return checked.vectors;
  };
}

/** JSON has no NaN: servers write null for it. A list with nothing else says nothing, and is none. */
function readNumbers(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.map((each: unknown) => (each === null ? Number.NaN : each));
  if (!numbers.every((each): each is number => typeof each === 'number')) return undefined;
  return numbers.some(Number.isFinite) ? numbers : undefined;
}

/** Below it a vector has no direction to speak of (OpenClaw core flow). */
const smallestLength = 1e-10;

/**
 * The vector with length 1: what is not finite counts as 0, and a vector without a length stays as it is (OpenClaw core flow,
 * `sanitizeAndNormalizeEmbedding`). Reckons in double precision; what it gives is stored in single.
 */
export function normalizeEmbedding(vector: ArrayLike<number>): Float32Array {
  const clean = Array.from(vector, (value) => (Number.isFinite(value) ? value : 0));
  const length = Math.sqrt(clean.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(length < smallestLength ? clean : clean.map((value) => value / length));
}
