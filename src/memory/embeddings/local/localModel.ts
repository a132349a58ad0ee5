/** A model that runs in this process. Its vectors may have any length. */
export interface LocalModel {
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
