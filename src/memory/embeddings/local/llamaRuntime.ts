import { availableParallelism } from 'node:os';
import { throwIfAborted } from '../../../base/abort.ts';
import { isRecord } from '../../../base/json.ts';
import type { LocalModel, LocalRuntime } from './localModel.ts';

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
