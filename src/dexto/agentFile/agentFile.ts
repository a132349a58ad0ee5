import type { StorageConfig } from './storageConfig.ts';

/** An agent file as it counts: checked, expanded, with every default (Dexto plugin specification, YAML Configuration Schema). */
export interface AgentFile {
  /** Absolute path. */
  readonly path: string;
  /** Its folder: what `${{dexto.agent_dir}}` stands for. Real path. */
  readonly dir: string;
  /** `workspace`: it lies in a folder of the workspace, and can only tighten. */
  readonly origin: 'workspace' | 'user';
  readonly llm?: AgentFileLlm;
  readonly systemPrompt: readonly PromptContributor[];
  readonly storage: StorageConfig;
  readonly toolConfirmation?: {
    /** Upstream's words; `manual` is ours to ask. Undefined where the file says nothing. */
    readonly mode?: 'manual' | 'event-based' | 'auto-approve' | 'auto-deny';
    /** Milliseconds. */
    readonly timeout?: number;
    readonly alwaysAllow: readonly string[];
    readonly alwaysDeny: readonly string[];
  };
  /** Upstream's names; undefined where the file says nothing. */
  readonly internalTools?: readonly string[];
  readonly sessions?: {
    readonly maxSessions?: number;
    /** Milliseconds. */
    readonly sessionTTL?: number;
  };
  /** As the file describes them; each is looked at before it starts. */
  readonly mcpServers: readonly {
    readonly name: string;
    readonly type: string;
    readonly line: number;
    readonly said: Readonly<Record<string, unknown>>;
  }[];
  /** Built-in and custom, in the order of the file; the disabled ones, too. */
  readonly plugins: readonly PluginEntry[];
  /** Where its top-level keys stand, 1-based. */
  readonly lines?: Readonly<Record<string, number>>;
  /** Values of environment variables that it uses, to be taken out of texts. */
  readonly secrets: readonly string[];
}

export interface AgentFileLlm {
  readonly provider: string;
  readonly model: string;
  /** Model answers in one turn. */
  readonly maxIterations?: number;
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly maxOutputTokens?: number;
  readonly maxInputTokens?: number;
  readonly temperature?: number;
  readonly line: number;
}

/** One text of the system prompt; lower priority first. */
export type PromptContributor =
  | { readonly id: string; readonly type: 'static'; readonly priority: number; readonly content: string }
  | { readonly id: string; readonly type: 'dynamic'; readonly priority: number; readonly source: string }
  | {
      readonly id: string;
      readonly type: 'file';
      readonly priority: number;
      /** Absolute paths. */
      readonly files: readonly string[];
    };

/** One plugin of the file. */
export interface PluginEntry {
  readonly kind: 'builtin' | 'custom';
  /** Of a built-in its key in the file, such as `contentPolicy`. */
  readonly name: string;
  /** Absolute path, or the name of an npm package; of custom ones. */
  readonly module?: string;
  readonly enabled: boolean;
  readonly blocking: boolean;
  readonly priority: number;
  /** Milliseconds. Default 5000. */
  readonly timeoutMs: number;
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of plugins that must be initialized, and run, before this one. */
  readonly dependsOn: readonly string[];
  /** A semver range that the plugin's own version must be in. */
  readonly version?: string;
  /** Where it stands in the file, 1-based. */
  readonly line: number;
}
