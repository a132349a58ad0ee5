/** What texts are embedded for: most models want to know. */
export type EmbeddingUse = 'query' | 'passage';

export interface EmbeddingQuestion {
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
