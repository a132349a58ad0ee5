import type { AgentEventPayload, SessionTranscriptUpdate } from './agentEventTypes.ts';
import type { OpenClawConfig } from './configTypes.ts';
import type { PluginLogger } from './loggerTypes.ts';
import type { MemorySearchManagerResult } from './memoryTypes.ts';
import type {
  OpenBlobStoreOptions,
  OpenKeyedStoreOptions,
  PluginBlobStore,
  PluginKeyedStore,
  PluginSyncKeyedStore,
} from './storeTypes.ts';
import type { PluginTool } from './toolTypes.ts';

export interface RunCommandOptions {
  /** Milliseconds, 1 to 600 000. */
  readonly timeoutMs: number;
  /** Default: the workspace folder, or the home folder without one. */
  readonly cwd?: string;
  /** Added to the host's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Given to the program as standard input. */
  readonly input?: string;
  readonly signal?: AbortSignal;
}

export interface RunCommandResult {
  /** Exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** At most 200 000 characters; the beginning is kept. */
  readonly stdout: string;
  readonly stderr: string;
  /** True where time or the caller ended it. */
  readonly killed: boolean;
  readonly termination: 'exit' | 'timeout' | 'signal' | 'abort';
}

export interface CompletionRequest {
  readonly prompt?: string;
  readonly system?: string;
  readonly messages?: readonly { readonly role: 'user' | 'assistant' | 'system'; readonly content: string }[];
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly signal?: AbortSignal;
}

export interface CompletionResult {
  readonly text: string;
  readonly provider?: string;
  readonly model?: string;
}

export interface PluginWebSearchProvider {
  readonly id: string;
  readonly label: string;
  readonly pluginId: string;
}

export interface PluginWebSearchResult {
  /** Who answered. */
  readonly provider: string;
  /** `results`, or a text of the provider's own as `content` with `citations`. All of it is text from outside, unwrapped. */
  readonly result: {
    readonly query: string;
    readonly provider: string;
    readonly externalContent: {
      readonly untrusted: true;
      readonly source: 'web_search';
      readonly provider: string;
      readonly wrapped: false;
    };
    readonly count?: number;
    readonly results?: readonly { readonly title: string; readonly url: string; readonly snippet: string }[];
    readonly content?: string;
    readonly citations?: readonly { readonly url: string; readonly title: string }[];
  };
}

/** What a plugin asks an agent; further fields of upstream are accepted and do nothing. */
export interface EmbeddedAgentParams {
  readonly prompt: string;
  /** The plugin's own name for the session: the same name goes on with it. Missing: a new session. */
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly agentId?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly thinkLevel?: string;
  readonly extraSystemPrompt?: string;
  readonly disableTools?: boolean;
  readonly timeoutMs?: number;
  readonly abortSignal?: AbortSignal;
  readonly [more: string]: unknown;
}

export interface EmbeddedAgentResult {
  /** The answer; of a run that failed what went wrong, with `isError`. */
  readonly payloads: readonly { readonly text: string; readonly isError?: boolean }[];
  readonly meta: {
    readonly durationMs: number;
    readonly runId: string;
    readonly aborted?: boolean;
    readonly error?: { readonly kind: string; readonly message: string };
    readonly agentMeta: {
      readonly sessionId: string;
      readonly sessionKey: string;
      readonly provider: string;
      readonly model: string;
      readonly usage?: {
        readonly input: number;
        readonly output: number;
        readonly cacheRead: number;
        readonly cacheWrite: number;
        readonly total: number;
      };
    };
  };
}

/** `api.runtime`: what the host does for a plugin. A member of upstream's that is not listed here is `undefined`. */
export interface PluginRuntime {
  /** The release of OpenClaw whose plugin API the host follows. */
  readonly version: string;
  readonly config: {
    loadConfig(): OpenClawConfig;
    current(): OpenClawConfig;
    /** @throws always: the configuration is the user's */
    writeConfigFile(config: unknown): Promise<never>;
  };
  readonly state: {
    /** A folder of the plugin's own, outside the workspace. */
    resolveStateDir(): string;
    /** JSON values by key, kept over restarts. @throws where the options are not usable */
    openKeyedStore<T = unknown>(options: OpenKeyedStoreOptions): PluginKeyedStore<T>;
    /** The same values without waiting: everything is held up while the disk reads and writes. */
    openSyncKeyedStore<T = unknown>(options: OpenKeyedStoreOptions): PluginSyncKeyedStore<T>;
    /** Bytes by key with JSON metadata, kept over restarts. @throws where the options are not usable */
    openBlobStore<M = unknown>(options: OpenBlobStoreOptions): PluginBlobStore<M>;
  };
  readonly agent: {
    resolveAgentWorkspaceDir(config?: unknown, agentId?: string): string;
    resolveAgentDir(config?: unknown, agentId?: string): string;
    /** Milliseconds that a turn may take. */
    resolveAgentTimeoutMs(config?: unknown): number;
    /** `identity` of the agent in this config, else the name that it has there. */
    resolveAgentIdentity(
      config: unknown,
      agentId: string,
    ): { readonly name?: string; readonly [more: string]: unknown } | undefined;
    /** Makes the folder, by default the workspace; writes no files into it. */
    ensureAgentWorkspace(params?: {
      readonly dir?: string;
      readonly [more: string]: unknown;
    }): Promise<{ readonly dir: string }>;
    /**
     * One turn of an agent, in a session of the plugin's own; limited as an agent that another one has started.
     * @throws where the plugin may not read conversations, runs too many at one time, or there is no model
     */
    runEmbeddedAgent(params: EmbeddedAgentParams): Promise<EmbeddedAgentResult>;
  };
  readonly events: {
    /** Hears the events of all turns; needs the user's permission. The return value stops it. */
    onAgentEvent(listener: (event: AgentEventPayload) => unknown): () => void;
    /** Hears of each message and each compaction once it is on disk; needs the same permission. The return value stops it. */
    onSessionTranscriptUpdate(listener: (update: SessionTranscriptUpdate) => unknown): () => void;
  };
  /** What bytes are. */
  readonly media: {
    /** By the bytes, else by the name of the file, else by what was said. */
    detectMime(options: {
      readonly buffer?: Uint8Array;
      readonly filePath?: string;
      readonly headerMime?: string | null;
      readonly additionalMimeHints?: readonly (string | null | undefined)[];
    }): Promise<string | undefined>;
    mediaKindFromMime(mime?: string | null): 'image' | 'audio' | 'video' | 'document' | undefined;
    isVoiceCompatibleAudio(options: {
      readonly contentType?: string | null;
      readonly fileName?: string | null;
    }): boolean;
    /** Of PNG, GIF, JPEG and WebP; null for anything else. */
    getImageMetadata(buffer: Uint8Array): Promise<{ readonly width: number; readonly height: number } | null>;
  };
  readonly mediaUnderstanding: {
    /** What the user's model for images says of a png, jpeg, gif or webp file. @throws where there is no such model or file */
    describeImageFile(params: {
      readonly filePath: string;
      readonly prompt?: string;
      readonly timeoutMs?: number;
    }): Promise<{ readonly text: string; readonly provider: string; readonly model: string }>;
  };
  /** Searches by the service that `tools.web.search` of the user's config names, with the limits of the tool `web_search`. */
  readonly webSearch: {
    /** Whom the config may name. */
    listProviders(params?: object): readonly PluginWebSearchProvider[];
    /** @throws where no service is configured, `providerId` is another one, or it gives no answer */
    search(params: {
      readonly args: {
        readonly query: string;
        readonly count?: number;
        readonly freshness?: string;
        readonly [more: string]: unknown;
      };
      readonly providerId?: string;
      readonly signal?: AbortSignal;
      /** Called once before anything is sent; what it throws stops the search. */
      readonly assertCurrent?: () => void;
      readonly [more: string]: unknown;
    }): Promise<PluginWebSearchResult>;
  };
  readonly subagent: {
    /** One question to a model, without tools; nothing of it is kept. @throws where it gives no answer, and as `runEmbeddedAgent` */
    complete(params: {
      readonly agentId?: string;
      readonly message: string;
      readonly extraSystemPrompt?: string;
      readonly model?: string;
      readonly timeoutMs?: number;
      readonly signal?: AbortSignal;
    }): Promise<{ readonly text: string }>;
    run(params: Omit<EmbeddedAgentParams, 'prompt'> & { readonly message: string }): Promise<{
      readonly runId: string;
      readonly sessionKey: string;
    }>;
    /** `timeoutMs` bounds the wait; the run goes on. */
    waitForRun(params: { readonly runId: string; readonly timeoutMs?: number }): Promise<{
      readonly status: 'ok' | 'error' | 'timeout';
      readonly error?: string;
    }>;
    getSessionMessages(params: {
      readonly sessionKey: string;
      readonly limit?: number;
    }): Promise<{ readonly messages: readonly unknown[] }>;
    deleteSession(params: { readonly sessionKey: string }): Promise<void>;
  };
  readonly system: {
    /** What to do about a native add-on that is missing. */
    formatNativeDependencyHint(params: {
      readonly packageName: string;
      readonly manager?: 'pnpm' | 'npm' | 'yarn';
      readonly rebuildCommand?: string;
      readonly approveBuildsCommand?: string;
      readonly downloadCommand?: string;
    }): string;
    /** Runs a program without a shell: `argv[0]` with the arguments that follow. Never rejects for its exit code. */
    /** Something that happened outside of a session, for its next turn to read; false where nothing is queued. */
    enqueueSystemEvent(
      text: string,
      options: {
        readonly sessionKey: string;
        readonly contextKey?: string;
        readonly [more: string]: unknown;
      },
    ): boolean;
    runCommandWithTimeout(
      argv: readonly string[],
      timeoutOrOptions: number | RunCommandOptions,
    ): Promise<RunCommandResult>;
  };
  readonly llm: {
    /** @throws where the host has no model to offer */
    complete(request: CompletionRequest): Promise<CompletionResult>;
  };
  /**
   * The host's memory tools, to be registered as they are; null where the host has no memory. `execute` may be called, too: it
   * refuses what would ask the user.
   */
  readonly tools: {
    createMemorySearchTool(context?: object): PluginTool | null;
    createMemoryGetTool(context?: object): PluginTool | null;
    /** Not upstream's. Writes only where the model calls it and the user agrees. */
    createMemoryAppendTool(context?: object): PluginTool | null;
    /** Does nothing: the host has `pincer memory`. */
    registerMemoryCli(program: unknown): void;
  };
  readonly memory: {
    /** The host's memory, whichever plugin has the memory slot. Upstream exports it from `memory-host-search`. */
    getActiveMemorySearchManager(params?: {
      readonly cfg?: unknown;
      readonly agentId?: string;
    }): Promise<MemorySearchManagerResult>;
  };
  readonly logging: {
    getChildLogger(bindings?: Readonly<Record<string, unknown>>): PluginLogger;
    shouldLogVerbose(): boolean;
  };
  readonly [member: string]: unknown;
}
