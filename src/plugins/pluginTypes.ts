import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { PointName, PointNotice } from '../hooks/payloads/pointHooks.ts';
import type { PluginEntryConfig, PluginsConfig } from '../config/mergeConfig.ts';
import type { HookName } from '../hooks/hookMap.ts';

export type { PluginEntryConfig, PluginsConfig } from '../config/mergeConfig.ts';

/** What decided that a plugin does not run; front ends offer remedies by it. */
export type DisabledBy =
  | 'master-switch'
  | 'denylist'
  | 'entry'
  | 'broken-config'
  | 'trust'
  | 'consent'
  | 'slot'
  | 'allowlist'
  | 'default'
  | 'agent-file'
  | 'problem'
  | 'override';

/** Where a plugin was found. */
export type PluginOrigin = 'bundled' | 'workspace' | 'global' | 'config';

/** A plugin that could be loaded, as the disk shows it; nothing of it has been read but package.json. */
export interface PluginCandidate {
  readonly origin: PluginOrigin;
  /** Folder that holds everything the plugin may load. */
  readonly rootDir: string;
  /** Absolute path of its entry file, inside `rootDir`. */
  readonly source: string;
  /** The id that file and folder names suggest. */
  readonly idHint: string;
  /** The workspace folder it belongs to; only for origin `workspace`. */
  readonly workspaceDir?: string;
  /** True for a file that stands alone in a plugins folder: its neighbours are other plugins. */
  readonly isLooseFile: boolean;
  /** From package.json, where there is one. */
  readonly version?: string;
  /** Base name of its entry, where one package holds several plugins: its id is then `<manifest id>/<entry name>`. */
  readonly entryName?: string;
  /** True for a plugin in the home folder that `pincer plugins install` put there. */
  readonly isInstalled?: boolean;
  /** Why this program is too old for it, from package.json. */
  readonly versionProblem?: string;
  /** What was odd about it but accepted; it does not know the id yet. */
  readonly notes?: readonly Diagnostic[];
}

/** What `openclaw.plugin.json` says, checked. */
export interface PluginManifest {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly kind: readonly string[];
  readonly enabledByDefault: boolean;
  readonly configSchema: Readonly<Record<string, unknown>>;
  readonly uiHints: Readonly<Record<string, unknown>>;
  readonly channels: readonly string[];
  readonly providers: readonly string[];
  readonly skills: readonly string[];
  /** MCP servers by name, as it describes them; not checked. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** `contracts.tools`: names of the tools that the plugin says it registers. */
  readonly contractTools: readonly string[];
  /** All of `contracts`: names by what the plugin says it registers. */
  readonly contracts?: Readonly<Record<string, readonly string[]>>;
  /** What is known of its tools before it runs, by tool name. */
  readonly toolMetadata?: Readonly<Record<string, unknown>>;
  /** When the plugin is needed. */
  readonly activation?: Readonly<Record<string, unknown>>;
  readonly commandAliases?: readonly Readonly<Record<string, unknown>>[];
  /** Plugins without which it is of no use. */
  readonly requiresPlugins?: readonly string[];
  /** Keys of the file that mean nothing here. */
  readonly unknown?: readonly string[];
  /** What it needs before it is of use, such as keys. */
  readonly setup?: Readonly<Record<string, unknown>>;
}

/** `much`: there is more code than is looked at. `computed`: it has code or loaders that the list can not follow. */
export type UnreadCode = 'much' | 'computed';

/** What a plugin is about to be able to do, as far as its files tell without running them. */
export interface PluginAsks {
  readonly hooks: readonly HookName[];
  readonly tools: readonly string[];
  /** Slash commands of the chat that its code names, without the slash. */
  readonly commands: readonly string[];
  /** What else its code registers, by kind. */
  readonly registers: readonly RegistrationKind[];
  /** What the user has let it register beyond what its text tells; each as `kind name`. */
  readonly more?: readonly string[];
  /** It listens to hooks that see what is said. */
  readonly conversation: boolean;
  /** Parts of Node it uses that reach beyond the process: `files`, `processes`, `network`. */
  readonly reaches: readonly ('files' | 'processes' | 'network')[];
  /** Programs that its own code starts, where it names them in so many words. */
  readonly programs: readonly string[];
  /** Paths of native add-ons among its files. They do not load here, and say what it was made to do. */
  readonly natives: readonly string[];
  /** Names of packages that come with it. Their code is not read for anything but what it reaches. */
  readonly packages: readonly string[];
  /** Why the list may be incomplete. */
  readonly unread: readonly UnreadCode[];
  /** Where the plugin's folder really lies, where it is a link; absolute. */
  readonly linkedTo?: string;
  /** Of Dexto plugins: where they step in. */
  readonly points?: readonly PointName[];
  /** Of Dexto plugins: what the agent file gives them to keep data in, one line each, without passwords. */
  readonly storage?: readonly string[];
}

/** Why a workspace plugin waits for the user. */
export interface ConsentNeed {
  readonly why: 'never-enabled' | 'files-changed';
  /** The content the user is asked about; a grant covers exactly this. */
  readonly hash: string;
  /** Paths inside the plugin folder that were added, removed or changed since the last consent. */
  readonly changedFiles: readonly string[];
}

/** What the host asks a plugin for: where the user's config names its provider, and for speech where the user reads an answer aloud. */
export type HostProviderKind =
  | 'web search provider'
  | 'web fetch provider'
  | 'compaction provider'
  | 'embedding provider'
  | 'context engine'
  | 'speech provider';

/** What a plugin can register. Each is listed; `unused` says which of them nothing uses yet. */
export type RegistrationKind =
  | 'tool'
  | 'hook'
  | 'command'
  | 'service'
  | 'cli'
  | 'tool policy'
  | 'session extension'
  | 'session action'
  | 'internal hook'
  | 'lifecycle'
  | 'http handler'
  | 'http route'
  | 'gateway method'
  | 'channel'
  | 'model provider'
  | 'tool result middleware'
  | 'tool metadata'
  | 'memory capability'
  | 'memory prompt supplement'
  | 'memory corpus supplement'
  | HostProviderKind
  | 'other';

/** One handler of a plugin and when it is asked. */
export interface HookListing {
  readonly hook: HookName;
  readonly priority: number;
  /** Milliseconds; sync hooks can't be timed out. */
  readonly timeoutMs: number | null;
  /** 1 is asked first, of `of` handlers; observers are asked together. */
  readonly position: number;
  readonly of: number;
  /** The tools or triggers that it hears of alone; absent, all. */
  readonly only?: readonly string[];
}

export interface PluginTimings {
  readonly loadMs: number;
  readonly registerMs: number;
}

/** How one plugin has done at one extension point since it was loaded. Times in milliseconds. */
export interface PointProfile {
  readonly point: PointName;
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly changed: number;
  readonly blocked: number;
  readonly failed: number;
  readonly timedOut: number;
}

/** How one plugin has done, and what it said last. */
export interface ExecutionProfile {
  /** Points where it was called. */
  readonly points: readonly PointProfile[];
  /** The newest first; inert, secrets taken out. */
  readonly notices: readonly (PointNotice & { readonly point: PointName; readonly at: number })[];
  /** What went wrong last, where something did. */
  readonly lastFailure?: {
    readonly point: PointName;
    readonly message: string;
    readonly at: number;
  };
}

/** The prefix of the ids of Dexto plugins in records, consents and the config. */
export const dextoIdPrefix = 'dexto:';

/** What lists and trees show of a Dexto plugin beyond what every plugin has. */
export interface DextoListing {
  /** The agent file that names it. */
  readonly agentFile: string;
  /** Where it stands there, 1-based. */
  readonly line?: number;
  readonly isBuiltIn: boolean;
  readonly blocking: boolean;
  readonly priority: number;
  /** Time limit at each extension point, in milliseconds. */
  readonly timeoutMs: number;
  readonly dependsOn: readonly string[];
  /** Where it is asked: 1 is first, of `of` plugins of this dialect; `band` says on which side of OpenClaw's handlers. */
  readonly points: readonly {
    readonly point: PointName;
    readonly position: number;
    readonly of: number;
    readonly band: 'before OpenClaw' | 'after OpenClaw';
  }[];
  readonly profile?: ExecutionProfile;
}

/** One plugin as lists and trees show it. Field names are upstream's where it has the field. */
export interface PluginRecord {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly kind: readonly string[];
  readonly origin: PluginOrigin;
  readonly rootDir: string;
  readonly source: string;
  readonly workspaceDir?: string;
  /** Absolute path of its manifest. */
  readonly manifestPath: string;
  /** `pincer plugins install`, or the command of the editor, has put it there: it can be uninstalled. */
  readonly isInstalled?: boolean;
  readonly enabled: boolean;
  /** What decided that it is not to run. */
  readonly disabledBy?: DisabledBy;
  readonly status: 'loaded' | 'disabled' | 'error';
  /** Why it is in this state, in one line for people. */
  readonly reason: string;
  readonly error?: string;
  readonly failurePhase?: 'manifest' | 'validation' | 'load' | 'register';
  readonly needsConsent?: ConsentNeed;
  /** The user has marked it "I am developing this": saving its files by hand renews the consent. */
  readonly developing?: boolean;
  readonly asks?: PluginAsks;
  readonly toolNames: readonly string[];
  readonly hookNames: readonly HookName[];
  /** Its handlers with their place among those of all plugins. */
  readonly hooks: readonly HookListing[];
  readonly commands: readonly string[];
  readonly services: readonly string[];
  /** Registrations that nothing uses yet, as `kind name`. */
  readonly unused: readonly string[];
  /** Registrations that were not shown when the user agreed to it, as `kind name`: they wait for another word. */
  readonly heldBack: readonly string[];
  /** Names of everything it registered, by kind; a kind without any is absent. */
  readonly registrations: Readonly<Partial<Record<RegistrationKind, readonly string[]>>>;
  readonly configJsonSchema?: Readonly<Record<string, unknown>>;
  readonly configUiHints?: Readonly<Record<string, unknown>>;
  /** MCP servers that it brings, as its manifest describes them; only while it runs. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
  readonly timings?: PluginTimings;
  /** Only of Dexto plugins; absent, it is an OpenClaw plugin. */
  readonly dexto?: DextoListing;
}

/**
 * The settings that count for plugins of one origin. Threat: a cloned repository brings a config that switches the user's
 * guards off or empties their lists; so what a workspace says reaches the workspace's plugins alone. Pure.
 */
export function configFor(config: PluginsConfig, origin: PluginOrigin): PluginsConfig {
  return origin === 'workspace' ? { ...config, ...config.workspace } : config;
}

/** The settings of one plugin; ids such as `__proto__` find nothing. */
export function entryOf(config: PluginsConfig, id: string): PluginEntryConfig {
  return Object.hasOwn(config.entries, id) ? (config.entries[id] ?? {}) : {};
}
