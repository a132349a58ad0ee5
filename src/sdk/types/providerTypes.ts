/** A server's models as upstream's config writes them. */
export interface PluginProviderModels {
  /** Address; of OpenAI's protocol up to and including `/v1`. */
  readonly baseUrl?: string;
  /** `openai-completions` (default), `openai-responses` (OpenAI itself only), `anthropic-messages`, `google-generative-ai`, `ollama`. */
  readonly api?: string;
  /** A key, the name of an environment variable, or a reference to one. */
  readonly apiKey?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly models: readonly PluginModelDefinition[];
}

export interface PluginModelDefinition {
  readonly id: string;
  readonly name?: string;
  readonly api?: string;
  /** True where it can be asked to think. */
  readonly reasoning?: boolean;
  readonly input?: readonly string[];
  /** US dollars for a million tokens. */
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly contextWindow?: number;
  readonly maxTokens?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface PluginProviderCatalogContext {
  readonly config: object;
  readonly workspaceDir?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly resolveProviderApiKey: (providerId?: string) => {
    readonly apiKey: string | undefined;
    readonly discoveryApiKey?: string;
  };
}

/** Models that have to be asked for; null where there are none, such as without a key. */
export interface PluginProviderCatalog {
  readonly order?: string;
  run(context: PluginProviderCatalogContext): unknown;
}

/** A provider of models: names and keys, and either `models`, `catalog`, or both with a stream function of its own. */
export interface ProviderPlugin {
  readonly id: string;
  readonly label?: string;
  readonly docsPath?: string;
  readonly aliases?: readonly string[];
  /** Environment variables that may hold its key. */
  readonly envVars?: readonly string[];
  readonly models?: PluginProviderModels;
  readonly catalog?: PluginProviderCatalog;
  /** Makes the function that asks a model, in place of a protocol that Pincer speaks. */
  readonly createStreamFn?: (context: never) => unknown;
  readonly [field: string]: unknown;
}

/** What answers a search or reads a page. `execute` gets the parameters of the tool, and a signal with which it stops. */
export interface WebProviderTool {
  readonly description?: string;
  readonly parameters?: object;
  execute(
    args: Readonly<Record<string, unknown>>,
    context?: { readonly signal?: AbortSignal; readonly assertCurrent?: () => void },
  ): Promise<object>;
}

/** Searches the web where `tools.web.search.provider` names its id. Answers `{ results }` or `{ content, citations }`. */
export interface WebSearchProviderPlugin {
  readonly id: string;
  readonly label?: string;
  /** Null where it is not set up, such as without a key. */
  createTool(context: { readonly config?: object; readonly searchConfig?: object }): WebProviderTool | null;
  readonly [field: string]: unknown;
}

/** Reads pages that can not be read directly where `tools.web.fetch.provider` names its id. Answers `{ text, finalUrl?, title? }`. */
export interface WebFetchProviderPlugin {
  readonly id: string;
  readonly label?: string;
  /** Null where it is not set up, such as without a key. */
  createTool(context: { readonly config?: object; readonly fetchConfig?: object }): WebProviderTool | null;
  readonly [field: string]: unknown;
}

/** Writes the summary of a compaction in the model's place where `agent.compaction.provider` names its id. */
export interface CompactionProvider {
  readonly id: string;
  readonly label?: string;
  /** The model writes the summary where this rejects, or resolves with no text. */
  summarize(params: {
    /** What the summary stands for, oldest first: copies, without secrets. */
    readonly messages: unknown[];
    /** Aborted with the turn, and after 60 seconds. */
    readonly signal?: AbortSignal;
    /** What the user said the summary must keep. */
    readonly customInstructions?: string;
    readonly summarizationInstructions?: { readonly identifierPolicy?: 'strict' | 'off' | 'custom' };
    /** The summary of everything before. */
    readonly previousSummary?: string;
  }): Promise<string>;
}

/** Gives the memory its vectors where `memory.provider` names its id. */
export interface EmbeddingProviderAdapter {
  readonly id: string;
  /** The model where `memory.model` names none. */
  readonly defaultModel?: string;
  /** Asked once for each model; `provider` is null where something lacks, such as a key. */
  create(options: {
    readonly config: object;
    readonly provider?: string;
    readonly model: string;
  }): Promise<{ readonly provider: EmbeddingProvider | null }>;
  readonly [field: string]: unknown;
}

export interface EmbeddingProvider {
  readonly id: string;
  readonly model: string;
  /** One vector for each text, in their order, each as long as the others. At most 15 s for a query, 120 s for passages. */
  embedBatch(
    inputs: { readonly text: string }[],
    options?: { readonly signal?: AbortSignal; readonly inputType?: string },
  ): Promise<number[][]>;
  readonly [field: string]: unknown;
}
