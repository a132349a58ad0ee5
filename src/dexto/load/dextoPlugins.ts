import type { Event } from '../../base/event.ts';
import type { AgentFile } from '../../config/agentFile/agentFile.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { HandlerSource } from '../../hooks/hookRunner.ts';
import type { PluginRecord, PluginsConfig } from '../../plugins/pluginTypes.ts';

/** What decides which Dexto plugins run. */
export interface DextoLoadInput {
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  /** The file that the user's config names; absent, `.pincer/agent.yml` of the first folder that has one. */
  readonly agentFile?: string;
  /** For what the user switched off: `entries['dexto:<name>'].enabled`. */
  readonly config: PluginsConfig;
}

/**
 * The agent file of a workspace and its plugins. All of them run or none: what can't be loaded stops the agent, never the program.
 * Calls run one after the other.
 */
export interface DextoPlugins {
  /** Fires after plugins, diagnostics, profiles or `problem` may have changed. */
  readonly onDidChange: Event<void>;
  /** Who judges at the extension points. The same object over all reloads. */
  readonly points: HandlerSource;
  /** The file that counts; undefined where there is none, it is broken, or the window is not trusted. */
  agentFile(): AgentFile | undefined;
  /** Absolute path of the agent file that is there, broken, untrusted or not; undefined where there is none. Never rejects. */
  agentFilePath(): Promise<string | undefined>;
  /** Why no turn may begin now: the agent file or one of its plugins is broken and nothing that worked stands in. */
  problem(): Diagnostic | undefined;
  /**
   * Makes what runs match `input`: all plugins of a new generation are loaded and initialized before the old one is cleaned up; where
   * one fails, the old generation goes on and the failure is shown; without an old one the agent stops. Never rejects.
   */
  load(input: DextoLoadInput): Promise<void>;
  /** Loads again with the last input, even where nothing has changed: the retry. */
  reload(): Promise<void>;
  /** In the order they run; what is switched off or waits for consent last. Ids are `dexto:<name>`. */
  plugins(): readonly PluginRecord[];
  diagnostics(): readonly Diagnostic[];
  /** True where the file is the agent file or belongs to one of its plugins: a change of it calls for `filesChanged`. */
  watches(path: string): boolean;
  /** Resolves once nothing loads any more. Never rejects. */
  settled(): Promise<void>;
  /** Whether files have changed that the last load looked at: those of plugins that could not be loaded, too. Never rejects. */
  isOutdated(): Promise<boolean>;
  /** Files have changed, those of `saved` by the user's own hand. */
  filesChanged(saved: readonly string[]): Promise<void>;
  /** @throws PincerError `plugin_unknown`, `plugin_needs_no_consent`, `plugin_changed` */
  grantConsent(id: string, hash?: string): Promise<void>;
  /** @throws PincerError `plugin_unknown`, `consent_missing` */
  allowRegistrations(id: string, names: readonly string[]): Promise<void>;
  /** @throws PincerError `plugin_unknown` */
  setDeveloping(id: string, developing: boolean): Promise<void>;
  revokeConsent(id: string): Promise<void>;
  /** Takes the secrets of the agent file and of plugins' settings out of a text. */
  redact(text: string): string;
  /** Cleans up all plugins in reverse order, within a time limit. */
  close(): Promise<void>;
}
