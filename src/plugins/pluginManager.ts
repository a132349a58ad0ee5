import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { GatewayHookContext } from '../hooks/payloads/hookContexts.ts';
import type { PluginValues, SessionName } from '../sessions/pluginSessionState.ts';
import type {
  AgentEventPayload,
  PluginServiceContext,
  PluginToolContext,
  SessionTranscriptUpdate,
} from '../sdk/types.ts';
import type { DiagnosticFacts } from './diagnosticListeners.ts';
import type { PluginCommand } from './commands/resolvePluginCommands.ts';
import type { PluginRecord, PluginsConfig } from './pluginTypes.ts';
import type { MemoryCapability } from './providers/memoryCapability.ts';
import type { MemorySupplement } from './providers/memorySupplements.ts';
import type { HostProvider, PluginProvider } from './providers/pluginProvider.ts';
import type { PluginHttpRoute } from './resolveHttpRoutes.ts';
import type { SessionActionRequest, SessionActionResult } from './register/runSessionAction.ts';
import type {
  ChannelRegistration,
  CliRegistration,
  GatewayMethodRegistration,
  InternalHookRegistration,
} from './register/registrations.ts';

/** What decides which plugins run: changes of any of it call for another `load`. */
export interface PluginLoadInput {
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly config: PluginsConfig;
  /** Real paths of entry files that are plugins of another dialect: no manifest is expected beside them. Default none. */
  readonly taken?: () => readonly string[];
}

/** Finds, loads, reloads and unloads plugins, and holds what they bring. Calls run one after the other. */
export interface PluginManager extends Disposable {
  /** Fires after plugins, tools, commands or diagnostics may have changed. */
  readonly onDidChange: Event<void>;
  /** The same object over all reloads. */
  readonly hooks: HookRunner;
  /**
   * Makes the loaded plugins match `input`: loads new and changed ones, keeps the others, unloads what is gone. A changed
   * plugin that fails leaves its previous version running. Never rejects: failures are diagnostics.
   */
  load(input: PluginLoadInput): Promise<void>;
  /** Loads again with the last input; the plugin of that id, or all, even where nothing has changed. */
  reload(id?: string): Promise<void>;
  /**
   * All that are loaded have heard `gateway_start`. From now on each version that comes later hears it, and each one that goes before the
   * program ends hears `gateway_stop` (OpenClaw hooks, Gateway lifecycle).
   */
  announce(context: () => GatewayHookContext): void;
  /** In the order they register: bundled, workspace, global, configured. */
  plugins(): readonly PluginRecord[];
  /** Of discovery, of every plugin, and of what failed since. */
  diagnostics(): readonly Diagnostic[];
  /** Runs the tool factories for one session. What is malformed or collides is a diagnostic instead. */
  tools(context: PluginToolContext): readonly AgentTool[];
  commands(): readonly PluginCommand[];
  /** What plugins add to the `pincer` program. */
  cli(): readonly PluginCli[];
  /** Listeners of internal events. */
  internalHooks(): readonly PluginInternalHook[];
  /** What the gateway serves for plugins, in the order in which they are asked. */
  httpRoutes(): readonly PluginHttpRoute[];
  /** Methods that clients of the gateway call; of one name the first. */
  gatewayMethods(): readonly PluginGatewayMethod[];
  /** Message channels, the user's own plugins first; of one id the first. */
  channels(): readonly PluginChannel[];
  /** Something of a loaded plugin failed where nobody waits for it. */
  report(diagnostic: Diagnostic): void;
  /** Model providers of loaded plugins; of several with one id the first. */
  providers(): readonly PluginProvider[];
  /** What the host may ask of loaded plugins; of several of one kind and id the first counts. */
  hostProviders(): readonly HostProvider[];
  /**
   * The context engine that `plugins.slots.contextEngine` names, by its own id or its plugin's; undefined where that is the built-in one
   * or can't be asked, which is a diagnostic.
   */
  contextEngine(): HostProvider | undefined;
  /** What the plugin in the memory slot does beside its tools; undefined where that is nothing. */
  memoryCapability(): MemoryCapability | undefined;
  /** What loaded plugins add beside the memory; to prompts, those that may. */
  memorySupplements(): readonly MemorySupplement[];
  /** Folders with skills of loaded plugins that may add to prompts, as their manifests name them; absolute. */
  skillFolders(): readonly PluginSkillFolder[];
  /** True for a loaded plugin that may add to prompts. */
  mayInject(pluginId: string): boolean;
  /** Takes the secrets in the settings of all loaded plugins out of a text. */
  redact(text: string): string;
  /** Tells the plugins that listen an event of a turn; `event` is called only where one does. Never throws. */
  agentEvent(event: () => AgentEventPayload | undefined): void;
  /** Tells the plugins that listen that a transcript has grown; `update` is called only where one does. Never throws. */
  transcriptUpdate(update: () => SessionTranscriptUpdate | undefined): void;
  /** Tells the plugins that listen diagnostic events, in this order; `events` is called only where one does. Never throws. */
  diagnosticEvents(events: () => readonly DiagnosticFacts[]): void;
  /** A run is over: what plugins noted for its time goes. */
  endRun(runId: string): void;
  /** What plugins show of the state they keep of a session, by plugin and namespace. */
  sessionExtensions(sessionKey: string): Promise<PluginValues>;
  /**
   * Runs a session action of a loaded plugin.
   * @throws PincerError `session_action_unknown`, `session_action_payload`, `session_action_failed`
   */
  runSessionAction(request: SessionActionRequest): Promise<SessionActionResult>;
  /** A session was reset or deleted: plugins clean up, and what they kept of it goes. */
  endSession(session: SessionName, reason: 'reset' | 'delete'): Promise<void>;
  /** Writes it to the configuration and loads. */
  setEnabled(id: string, enabled: boolean, scope: SettingsScope): Promise<void>;
  /** Sets one key below `plugins` of the user's configuration and loads; `undefined` removes it. */
  configure(path: readonly string[], value: unknown): Promise<void>;
  /** Lets the plugin fill an exclusive slot: others of its kind are switched off. @throws PincerError `plugin_unknown` */
  chooseSlot(slot: string, id: string): Promise<void>;
  /**
   * Lets a workspace plugin run with exactly the files that its record's `needsConsent` names, and loads. `hash` is that of
   * the `needsConsent` the user was shown: where the files have changed since, nothing is granted.
   * @throws PincerError `plugin_unknown`, `plugin_needs_no_consent`, `plugin_changed`
   */
  grantConsent(id: string, hash?: string): Promise<void>;
  /**
   * Lets a workspace plugin register what was not shown when it was enabled, each as `kind name`, and loads.
   * @throws PincerError `plugin_unknown`, `consent_missing`
   */
  allowRegistrations(id: string, names: readonly string[]): Promise<void>;
  /**
   * Marks a workspace plugin as one that the user develops: saving its files by hand renews the consent. Of one that
   * is not enabled yet it holds from its first consent on.
   * @throws PincerError `plugin_unknown`
   */
  setDeveloping(id: string, developing: boolean): Promise<void>;
  /** Whether files have changed that the last load looked at: then another may give something else. Cheap where nothing has; never rejects. */
  isOutdated(): Promise<boolean>;
  /** Files of plugins have changed, those of `saved` by the user's own hand: looks at them again and loads what may run. */
  filesChanged(saved: readonly string[]): Promise<void>;
  /** Forgets every consent for the plugin, and unloads it. */
  revokeConsent(id: string): Promise<void>;
  /** Stops services and unloads all plugins; resolves when that is done. `dispose` starts the same without waiting. */
  close(): Promise<void>;
}

/** A method of a loaded plugin. */
export interface PluginGatewayMethod extends GatewayMethodRegistration {
  readonly pluginId: string;
}

/** A message channel of a loaded plugin. */
export interface PluginChannel {
  readonly pluginId: string;
  /** The same object as long as the plugin's version is loaded. */
  readonly registration: ChannelRegistration;
  readonly isOfWorkspace: boolean;
  /** The configuration as it is now, as the plugin sees it. */
  readonly currentConfig: () => Readonly<Record<string, unknown>>;
  /** Takes the secrets of its settings out of a text. */
  readonly redact: (text: string) => string;
}

export interface PluginInternalHook extends InternalHookRegistration {
  readonly pluginId: string;
}

export interface PluginSkillFolder {
  readonly pluginId: string;
  /** The plugin's own folder: nothing of a skill may lie outside of it. */
  readonly rootDir: string;
  readonly folder: string;
}

export interface PluginCli extends CliRegistration {
  readonly pluginId: string;
  /** What its services know, too: the host's config, workspace and logger. */
  readonly context: PluginServiceContext;
}

type SettingsScope = 'user' | 'workspace';

/** Where what the user decides about plugins is written. */
export interface PluginSettings {
  /**
   * Sets one key below `plugins`; `undefined` removes it. Resolves with the configuration as it is afterwards.
   * @throws PincerError `config_syntax`, `workspace_missing`
   */
  set(path: readonly string[], value: unknown, scope: SettingsScope): Promise<PluginsConfig>;
}
