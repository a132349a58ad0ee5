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
  /** Ways to sign in, for *Pincer: Sign In to Model Provider…*. The credential is kept in VS Code's secret storage. */
  readonly auth?: readonly ProviderAuthMethod[];
  /** The key of a credential as the server wants it; default its `key`, `token` or `access`. */
  readonly formatApiKey?: (credential: ProviderAuthCredential) => string;
  /** Renews a credential that has run out, or is about to. */
  readonly refreshOAuth?: (credential: ProviderAuthCredential) => Promise<ProviderAuthCredential>;
  readonly [field: string]: unknown;
}

/** What a provider got for its user. `expires`: milliseconds since 1970. */
export type ProviderAuthCredential = {
  readonly provider?: string;
  /** Names the account, where the service says so. */
  readonly email?: string;
  readonly displayName?: string;
  readonly [field: string]: unknown;
} & (
  | { readonly type: 'api_key'; readonly key: string }
  | { readonly type: 'token'; readonly token: string; readonly expires?: number }
  | { readonly type: 'oauth'; readonly access: string; readonly refresh?: string; readonly expires?: number }
);

/** One way to sign in. `run` asks through the context and gives a profile with the credential. */
export interface ProviderAuthMethod {
  readonly id: string;
  readonly label?: string;
  readonly hint?: string;
  readonly kind?: 'oauth' | 'api_key' | 'token' | 'device_code' | 'custom';
  run(context: ProviderAuthContext): Promise<{
    readonly profiles: readonly {
      readonly profileId?: string;
      readonly credential: ProviderAuthCredential;
    }[];
    /** What the user should know, a line each. */
    readonly notes?: readonly string[];
  }>;
}

/** What `run` may ask its user, in VS Code's own boxes. Each rejects where the user leaves. */
export interface ProviderAuthContext {
  readonly config: object;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspaceDir?: string;
  readonly prompter: WizardPrompter;
  readonly runtime: { log(text: string): void; error(text: string): void; exit(code: number): never };
  /** Aborts where the user leaves, and after 15 minutes. */
  readonly signal: AbortSignal;
  assertCurrent(): void;
  /** True where the user's browser runs on another machine than the plugin. */
  readonly isRemote: boolean;
  /** Only `http` and `https`; VS Code shows the address first. */
  openUrl(url: string): Promise<void>;
  readonly oauth: {
    /** Opens the page of the service, and gives the code with which the browser comes back to the editor. */
    authorize(params: {
      readonly state: string;
      readonly timeoutMs?: number;
      readonly buildAuthorizationUrl: (redirectUrl: string) => string;
    }): Promise<{ readonly code: string; readonly state: string }>;
    createVpsAwareHandlers(params: object): {
      onAuth(event: { readonly url: string }): Promise<void>;
      onPrompt(prompt: object): Promise<string>;
    };
  };
}

/** Questions of a sign-in. */
export interface WizardPrompter {
  intro(title: string): Promise<void>;
  outro(message: string): Promise<void>;
  note(message: string, title?: string): Promise<void>;
  plain(message: string): Promise<void>;
  cancel(message: string): never;
  /** Shows a code for as long as the sign-in runs, and puts it on the clipboard. */
  deviceCode(params: {
    readonly title?: string;
    readonly code: string;
    readonly message?: string;
  }): Promise<void>;
  select<T>(params: WizardSelectParams<T>): Promise<T>;
  multiselect<T>(params: WizardSelectParams<T>): Promise<readonly T[]>;
  text(params: {
    readonly message: string;
    readonly initialValue?: string;
    readonly placeholder?: string;
    readonly sensitive?: boolean;
    readonly validate?: (value: string) => string | undefined;
  }): Promise<string>;
  confirm(params: { readonly message: string }): Promise<boolean>;
  progress(label: string): { update(message: string): void; stop(message?: string): void };
  openUrl(url: string): Promise<void>;
}

export interface WizardSelectParams<T> {
  readonly message: string;
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[];
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

/** Makes audio of an answer that the user wants to hear: the one that `tts.provider` names, else the first that is set up. */
export interface SpeechProviderPlugin {
  readonly id: string;
  readonly label?: string;
  /** Milliseconds that `synthesize` may take where the user's config says nothing; at most 120000, default 30000. */
  readonly defaultTimeoutMs?: number;
  /** Makes `providerConfig` of what the user's config says; its own settings are `rawConfig.providers[id]`. */
  resolveConfig?(context: {
    readonly cfg: object;
    readonly rawConfig: Readonly<Record<string, unknown>>;
    readonly timeoutMs: number;
  }): Record<string, unknown>;
  /** False where something lacks, such as a key: another provider is asked then. */
  isConfigured?(context: {
    readonly cfg: object;
    readonly providerConfig: Record<string, unknown>;
    readonly timeoutMs: number;
  }): boolean;
  synthesize(request: {
    /** Words without markdown, code and secrets. */
    readonly text: string;
    readonly cfg: object;
    readonly providerConfig: Record<string, unknown>;
    readonly target: 'audio-file';
    readonly timeoutMs: number;
    /** Aborted when the user stops it, and after `timeoutMs`. */
    readonly signal: AbortSignal;
  }): Promise<SpeechSynthesisResult>;
  readonly [field: string]: unknown;
}

export interface SpeechSynthesisResult {
  /** mp3, wav, ogg or flac; at most 10 MB. */
  readonly audioBuffer: Uint8Array;
  readonly outputFormat?: string;
  readonly fileExtension?: string;
  readonly voiceCompatible?: boolean;
}
