import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { FileSystem } from '../../host/ports.ts';
import {
  createVectorReader,
  cutToTokens,
  type Embedder,
  embeddingFailed,
  embeddingRefused,
  type EmbeddingUse,
  fingerprint,
  isCancelled,
} from './embedder.ts';
import type { FoundPackage } from './findPackage.ts';
import { withPrompt } from './providers.ts';

/** A model that runs in this process. Its vectors may have any length. */
interface LocalModel {
  /** Vectors of texts, in their order, not checked yet. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]>;
  /** Frees its memory. */
  close(): Promise<void>;
}

/** A program that runs models of one file form. */
export interface LocalRuntime {
  /** The package's name, and what people call it. */
  readonly packageName: 'node-llama-cpp' | '@huggingface/transformers';
  /** Tokens of one text at most. */
  readonly maxTokens: number;
  /** Loads the model; nothing is ever downloaded. Rejects with whatever the package throws. */
  open(loaded: unknown, modelPath: string): Promise<LocalModel>;
}

interface LocalEmbedderOptions {
  readonly runtime: LocalRuntime;
  readonly found: FoundPackage;
  /** Absolute. */
  readonly modelPath: string;
  /** Differs where the model's file does, such as its size and time. */
  readonly version: string;
}

/** A model in this process, loaded at the first text. A query waits for no more than the text that is under way. */
export function createLocalEmbedder({ runtime, found, modelPath, version }: LocalEmbedderOptions): Embedder {
  const model = basename(modelPath);
  const who = `${runtime.packageName} (model “${inertLine(model, 120)}”)`;
  let opened: Promise<LocalModel> | undefined;
  const running = new Set<Promise<unknown>>();
  const readVectors = createVectorReader(who);

  const open = async (): Promise<LocalModel> => {
    try {
      return await runtime.open(await found.load(), modelPath);
    } catch (error) {
      const hint = `Check memory.local.modelPath (${modelPath}) and the package in ${found.folder}.`;
      throw embeddingRefused(who, `could not be loaded: ${inertLine(errorMessage(error), 300)}`, hint);
    }
  };

  const run = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    // Cut by estimate; the runtime cuts once more by its own tokens.
    const ready = texts.map((text) => cutToTokens(text, runtime.maxTokens));
    return readVectors(await askModel(await (opened ??= open()), ready, signal), texts.length);
  };

  const askModel = async (
    local: LocalModel,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    try {
      return await local.embed(texts, signal);
    } catch (error) {
      if (isCancelled(error)) throw error;
      throw embeddingFailed(who, `failed: ${inertLine(errorMessage(error), 300)}`);
    }
  };

  const embed = (
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> => {
    const prompted = texts.map((text) => withPrompt(model, use, text));
    const work = run(prompted, signal);
    running.add(work);
    const done = (): boolean => running.delete(work);
    work.then(done, done);
    return raceAbort(work, signal);
  };

  return {
    space: {
      provider: 'local',
      model,
      providerKey: fingerprint([runtime.packageName, modelPath, version]),
    },
    name: runtime.packageName,
    maxTokens: runtime.maxTokens,
    async embedQuery(text, signal) {
      const [vector] = await embed([text], 'query', signal);
      if (vector === undefined) throw embeddingFailed(who, 'gave no embedding.');
      return vector;
    },
    embedPassages: (texts, signal) => embed(texts, 'passage', signal),
    async close() {
      const loading = opened;
      opened = undefined;
      // A model must not go while it is at work.
      await Promise.allSettled(running);
      const local = await loading?.catch(() => undefined);
      await local?.close();
    },
  };
}

/** The part of node-llama-cpp 3 that is used. */
interface LlamaPackage {
  getLlama(options: {
    readonly gpu: 'auto';
    readonly build: 'never';
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly maxThreads: number;
    /** What goes wrong is thrown, too. */
    readonly logLevel: 'disabled';
  }): Promise<Llama>;
}

interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

interface LlamaModel {
  readonly trainContextSize: number;
  tokenize(text: string): readonly number[];
  createEmbeddingContext(options: { readonly contextSize: number; readonly threads: number }): Promise<{
    getEmbeddingFor(tokens: readonly number[]): Promise<{ readonly vector: readonly number[] }>;
  }>;
}

/**
 * Half of the processor at most: the other half is the editor's. Left alone, the package takes four threads even of two cores,
 * and since they wait for each other by spinning, a busy machine then needs seconds for a text.
 */
const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/** Tokens of the model's own: passages are shorter, and a large context costs memory. */
const maxContext = 2_048;
/** What the model puts before and after a text, and the one token that must stay free. */
const frame = 3;

/** `.gguf` files by node-llama-cpp: only what is installed is used, nothing is built or fetched. */
export const llamaRuntime: LocalRuntime = {
  packageName: 'node-llama-cpp',
  maxTokens: maxContext - frame,
  async open(loaded, modelPath) {
    if (!isLlamaPackage(loaded)) throw new Error('This version of node-llama-cpp has no getLlama.');
    const llama = await loaded.getLlama({
      gpu: 'auto',
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      maxThreads: threads,
      logLevel: 'disabled',
    });
    try {
      return await openModel(llama, modelPath);
    } catch (error) {
      await llama.dispose();
      throw error;
    }
  },
};

async function openModel(llama: Llama, modelPath: string): Promise<LocalModel> {
  const model = await llama.loadModel({ modelPath });
  const contextSize = Math.min(model.trainContextSize, maxContext);
  const context = await model.createEmbeddingContext({ contextSize, threads });
  return {
    async embed(texts, signal) {
      const vectors: unknown[] = [];
      for (const text of texts) {
        throwIfAborted(signal);
        const { vector } = await context.getEmbeddingFor(model.tokenize(text).slice(0, contextSize - frame));
        vectors.push(Array.from(vector));
      }
      return vectors;
    },
    // It owns the model and its contexts.
    close: () => llama.dispose(),
  };
}

function isLlamaPackage(loaded: unknown): loaded is LlamaPackage {
  return isRecord(loaded) && typeof loaded['getLlama'] === 'function';
}

/** The part of transformers 3 and 4 that is used. */
interface TransformersPackage {
  readonly env: {
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    localModelPath: string;
    fetch?: () => Promise<never>;
  };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { readonly dtype: string; readonly local_files_only: true },
  ): Promise<FeatureExtraction>;
}

interface FeatureExtraction {
  (
    texts: readonly string[],
    options: { readonly pooling: 'mean' | 'cls'; readonly normalize: true },
  ): Promise<{ tolist(): readonly unknown[] }>;
  dispose(): Promise<unknown>;
}

/** The files of one model, smallest first that lose little; by what the package calls them. */
const dtypes = [
  ['q8', 'model_quantized.onnx'],
  ['int8', 'model_int8.onnx'],
  ['fp16', 'model_fp16.onnx'],
  ['fp32', 'model.onnx'],
  ['q4', 'model_q4.onnx'],
] as const;

/** Texts of one run: all are padded to the longest. */
const batchSize = 8;

/** Folders with `config.json`, `tokenizer.json` and `onnx/`, by transformers. */
export function transformersRuntime(fs: Pick<FileSystem, 'stat' | 'readText'>): LocalRuntime {
  return {
    packageName: '@huggingface/transformers',
    maxTokens: 512,
    async open(loaded, modelPath) {
      if (!isTransformersPackage(loaded)) throw new Error('This version of transformers has no pipeline.');
      keepOffline(loaded.env, dirname(modelPath));
      const [dtype, pooling] = await Promise.all([findDtype(fs, modelPath), readPooling(fs, modelPath)]);
      const options = { dtype, local_files_only: true } as const;
      return wrap(await loaded.pipeline('feature-extraction', basename(modelPath), options), pooling);
    },
  };
}

function wrap(extract: FeatureExtraction, pooling: 'mean' | 'cls'): LocalModel {
  return {
    async embed(texts, signal) {
      const vectors: unknown[] = [];
      for (let at = 0; at < texts.length; at += batchSize) {
        throwIfAborted(signal);
        const result = await extract(texts.slice(at, at + batchSize), { pooling, normalize: true });
        vectors.push(...result.tolist());
      }
      return vectors;
    },
    async close() {
      await extract.dispose();
    },
  };
}

/** The package would ask its hub for every file that is not there. */
function keepOffline(env: TransformersPackage['env'], folder: string): void {
  env.allowLocalModels = true;
  env.allowRemoteModels = false;
  env.localModelPath = folder;
  env.fetch = () => Promise.reject(new Error('Models are not downloaded.'));
}

async function findDtype(fs: Pick<FileSystem, 'stat'>, modelPath: string): Promise<string> {
  for (const [dtype, file] of dtypes) {
    if ((await fs.stat(join(modelPath, 'onnx', file)))?.kind === 'file') return dtype;
  }
  throw new Error(`There is none of ${dtypes.map(([, file]) => `onnx/${file}`).join(', ')}.`);
}

/** Sentence models say in `1_Pooling/config.json` where they put the meaning; the mean is usual. */
async function readPooling(
  fs: Pick<FileSystem, 'stat' | 'readText'>,
  modelPath: string,
): Promise<'mean' | 'cls'> {
  const file = join(modelPath, '1_Pooling', 'config.json');
  if ((await fs.stat(file))?.kind !== 'file') return 'mean';
  const config = parseJson(await fs.readText(file, 65_536));
  return isRecord(config) && config['pooling_mode_cls_token'] === true ? 'cls' : 'mean';
}

function isTransformersPackage(loaded: unknown): loaded is TransformersPackage {
  return isRecord(loaded) && isRecord(loaded['env']) && typeof loaded['pipeline'] === 'function';
}
