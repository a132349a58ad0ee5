import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { ScoreParts } from '../../memory/memory.ts';

/** A passage of the memory. Its text is whatever a file says: untrusted. */
export interface MemorySearchResult {
  /** As `memory_get` and `readFile` take it: relative to its workspace folder, or `sessions/<id>.jsonl`. */
  readonly path: string;
  /** 1-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** 0 to 1, comparable within one search only. */
  readonly score: number;
  /** The beginning of the passage, at most 700 characters. */
  readonly snippet: string;
  readonly source: MemorySource;
  /** `docs/setup.md#L12-L20` */
  readonly citation: string;
  /** ISO day of the note. */
  readonly date: string;
  readonly headings?: readonly string[];
  /** Where the score comes from. */
  readonly why: ScoreParts;
}

export interface MemorySearchManagerOptions {
  readonly maxResults?: number;
  readonly minScore?: number;
  readonly sources?: readonly MemorySource[];
  /** Globs of paths; only these files count. */
  readonly files?: readonly string[];
  readonly signal?: AbortSignal;
}

/** The host's memory, for programs. What needs a person's yes is refused here: nobody is asked. */
export interface MemorySearchManager {
  /** Best first. @throws where the memory is switched off or the search was cancelled */
  search(query: string, options?: MemorySearchManagerOptions): Promise<readonly MemorySearchResult[]>;
  /** Lines of what the memory holds, at most 120 at once. @throws where it holds no such file */
  readFile(request: {
    readonly relPath: string;
    readonly from?: number;
    readonly lines?: number;
  }): Promise<{ readonly path: string; readonly text: string }>;
  status(): MemorySearchManagerStatus;
}

export interface MemorySearchManagerStatus {
  readonly backend: 'builtin';
  readonly custom: {
    /** What the user's config says about notes that enter a prompt unasked. */
    readonly recall: {
      readonly enabled: boolean;
      readonly maxSnippets: number;
      /** Globs of paths. */
      readonly files: readonly string[];
    };
  };
}

/** `manager` is null where there is no memory; `error` says why. */
export interface MemorySearchManagerResult {
  readonly manager: MemorySearchManager | null;
  readonly error?: string;
}

/** What a prompt builder is told. */
export interface MemoryPromptSectionParams {
  /** Names of the tools that the model will have. */
  readonly availableTools: Set<string>;
  readonly citationsMode?: 'auto' | 'on' | 'off';
  readonly agentId?: string;
  readonly agentSessionKey?: string;
}

/** Lines for the system prompt, at once: a promise is refused. At most 12 000 characters are used. */
export type MemoryPromptSectionBuilder = (params: MemoryPromptSectionParams) => string[];

/** What the model is asked for before a conversation is shortened, at once: a promise is refused. Null is nothing. */
export type MemoryFlushPlanResolver = (params: {
  readonly cfg?: object;
  readonly nowMs?: number;
  readonly contextWindowTokens?: number;
}) => MemoryFlushPlan | null;

export interface MemoryFlushPlan {
  /** These three are not read: it is asked for right before a compaction. */
  readonly softThresholdTokens: number;
  readonly forceFlushTranscriptBytes: number;
  readonly reserveTokensFloor: number;
  /** `provider/model` of the one that is asked; absent, that of the turn. */
  readonly model?: string;
  readonly prompt: string;
  /** Stands behind the system prompt. */
  readonly systemPrompt: string;
  /** The one file that the model may add to, relative to the workspace. */
  readonly relativePath: string;
}

/** A memory of the plugin's own. The host's `memory_search` and `memory_get` ask it where the plugin registers them and the model calls them. */
export interface MemoryPluginRuntime {
  /** With each method that is called at most 30 seconds. */
  getMemorySearchManager(params: {
    readonly cfg: object;
    readonly agentId: string;
    readonly purpose?: 'default' | 'status' | 'cli';
  }): Promise<{ readonly manager: PluginMemorySearchManager | null; readonly error?: string }>;
  /** Leaves of what was found what the session may see. Without it no passage of a conversation is shown. */
  authorizeSearchHits?(params: {
    readonly cfg: object;
    readonly agentId: string;
    readonly requesterSessionKey: string | undefined;
    readonly sandboxed: boolean;
    readonly hits: PluginMemorySearchResult[];
  }): Promise<PluginMemorySearchResult[]>;
  readonly [field: string]: unknown;
}

export interface PluginMemorySearchManager {
  search(
    query: string,
    options?: {
      readonly maxResults?: number;
      readonly minScore?: number;
      readonly sessionKey?: string;
      readonly sources?: readonly MemorySource[];
      readonly signal?: AbortSignal;
    },
  ): Promise<PluginMemorySearchResult[]>;
  /** The text from the line `from` on. */
  readFile(params: {
    readonly relPath: string;
    readonly from?: number;
    readonly lines?: number;
  }): Promise<{ readonly text: string; readonly [field: string]: unknown }>;
  readonly [field: string]: unknown;
}

export interface PluginMemorySearchResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly snippet: string;
  readonly source: MemorySource;
  readonly citation?: string;
}

/** A corpus beside the memory. Each call has 15 seconds; at most 20 results count, each snippet of at most 700 characters. */
export interface MemoryCorpusSupplement {
  search(params: {
    readonly query: string;
    readonly maxResults?: number;
    readonly agentId?: string;
    readonly agentSessionKey?: string;
  }): Promise<readonly MemoryCorpusSearchResult[]>;
  /** What `lookup`, a path of a result, has from a line on; null where this corpus has no such thing. */
  get(params: {
    readonly lookup: string;
    readonly fromLine?: number;
    readonly lineCount?: number;
    readonly agentId?: string;
    readonly agentSessionKey?: string;
  }): Promise<{ readonly content: string; readonly [field: string]: unknown } | null>;
}

export interface MemoryCorpusSearchResult {
  readonly corpus: string;
  readonly path: string;
  readonly title?: string;
  readonly score: number;
  readonly snippet: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly citation?: string;
  readonly [field: string]: unknown;
}

/** What the plugin in the memory slot does beside its tools. */
export interface MemoryPluginCapability {
  readonly promptBuilder?: MemoryPromptSectionBuilder;
  readonly flushPlanResolver?: MemoryFlushPlanResolver;
  readonly runtime?: MemoryPluginRuntime;
  readonly [field: string]: unknown;
}
