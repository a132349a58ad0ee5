import type { Clock } from '../../host/ports.ts';
import type {
  AgentEventPayload,
  CompletionRequest,
  CompletionResult,
  OpenClawConfig,
  PluginLogger,
} from '../../sdk/types.ts';
import type { CallPlugin } from '../createCallGuard.ts';
import type { PluginCandidate, PluginEntryConfig, PluginManifest } from '../pluginTypes.ts';
import type { PluginSessionState } from '../../sessions/pluginSessionState.ts';
import type { RunContexts } from '../register/createRunContexts.ts';
import type { Registrations } from '../register/registrations.ts';
import type { ImageReader } from '../../tools/core/image.ts';
import type { EmbeddedAgents } from '../../agents/createEmbeddedAgents.ts';
import type { PluginSchedule } from '../../schedule/pluginSchedule.ts';
import type { PluginMemory } from './runtime/pluginMemory.ts';
import type { PluginWebSearch } from './runtime/webSearchMembers.ts';

/** What the API of one plugin is made from. */
export interface PluginApiParts {
  readonly candidate: PluginCandidate;
  readonly manifest: PluginManifest;
  readonly entry: PluginEntryConfig;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  /** The host's configuration as it is now, as this plugin sees it; each time a copy. */
  readonly currentConfig: () => OpenClawConfig;
  readonly homeDir: string;
  /** The first folder that is open now, wherever the plugin lies; undefined where none is. */
  readonly workspaceDir: () => string | undefined;
  /** A folder of the plugin's own, outside the workspace. */
  readonly stateDir: string;
  readonly logger: PluginLogger;
  readonly registrations: Registrations;
  /** Calls the plugin's own code. */
  readonly call: CallPlugin;
  readonly sessionState: PluginSessionState;
  readonly runContexts: RunContexts;
  readonly clock: Clock;
  /** Tells the listeners of all plugins. */
  readonly deliverAgentEvent: (event: AgentEventPayload) => void;
  /** Asks the user's model; absent, plugins are told that there is none. */
  readonly complete?: (request: CompletionRequest) => Promise<CompletionResult>;
  /** Asks the user's model for images; absent, plugins are told that there is none. */
  readonly describeImage?: ImageReader['describe'];
  /** Searches the web for plugins; absent, `api.runtime.webSearch` is. */
  readonly webSearch?: PluginWebSearch;
  /** Runs agents for plugins; absent, they are told that it can't be done. */
  readonly agents?: EmbeddedAgents;
  /** The schedule of the workspace; absent, there is none. */
  readonly schedule?: PluginSchedule;
  /** `api.runtime.channel` of a plugin; absent, there is none. */
  readonly channels?: (pluginId: string) => Readonly<Record<string, unknown>>;
  /** Absent, plugins are told that there is none. */
  readonly memory?: PluginMemory;
  /** @throws PincerError when the plugin has been unloaded; `method` is what it called. */
  readonly assertLoaded: (method: string) => void;
  /** Called after each registration, so that late ones take effect. */
  readonly registered: () => void;
}
