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
