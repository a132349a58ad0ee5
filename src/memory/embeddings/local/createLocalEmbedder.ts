import { basename } from 'node:path';
import { raceAbort } from '../../../base/abort.ts';
import { errorMessage } from '../../../base/errors.ts';
import { inertLine } from '../../../base/text.ts';
import { checkVectors } from '../checkVectors.ts';
import { cutToTokens } from '../cutToTokens.ts';
import type { Embedder } from '../embedder.ts';
import { embeddingFailed, embeddingRefused, isCancelled } from '../errors.ts';
import { fingerprint } from '../fingerprint.ts';
import type { EmbeddingUse } from '../providers/embeddingProvider.ts';
import { withPrompt } from '../providers/modelPrompts.ts';
import type { FoundPackage } from './findPackage.ts';
import type { LocalModel, LocalRuntime } from './localModel.ts';

export interface LocalEmbedderOptions {
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
  let dimensions: number | undefined;

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
    const raw = await askModel(await (opened ??= open()), ready, signal);
    const checked = checkVectors(raw, texts.length, dimensions);
    if ('fault' in checked) throw embeddingFailed(who, checked.fault);
    dimensions ??= checked.vectors[0]?.length;
    return checked.vectors;
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
