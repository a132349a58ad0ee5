import type { Json } from '../../contracts/jsonTypes.ts';
import type { HookName } from '../../hooks/hookMap.ts';
import type {
  PluginAgentEventEmit,
  PluginAgentEventEmitResult,
  PluginAgentEventSubscription,
} from './agentEventTypes.ts';
import type { PluginCliOptions, PluginCliRegistrar } from './cliTypes.ts';
import type { PluginCommandDefinition } from './commandTypes.ts';
import type { OpenClawConfig, OpenClawPluginConfigSchema } from './configTypes.ts';
import type { ContextEngineFactory } from './contextEngineTypes.ts';
import type {
  InternalHookHandler,
  InternalHookOptions,
  PluginHookHandler,
  PluginHookOptions,
} from './pluginHookTypes.ts';
import type {
  ChannelPlugin,
  GatewayRequestHandler,
  PluginChannelRegistration,
  PluginHttpHandler,
  PluginHttpRoute,
} from './listedTypes.ts';
import type { PluginLogger } from './loggerTypes.ts';
import type {
  MemoryCorpusSupplement,
  MemoryFlushPlanResolver,
  MemoryPluginCapability,
  MemoryPluginRuntime,
  MemoryPromptSectionBuilder,
  MemoryPromptSectionParams,
} from './memoryTypes.ts';
import type {
  CompactionProvider,
  EmbeddingProviderAdapter,
  ProviderPlugin,
  SpeechProviderPlugin,
  WebFetchProviderPlugin,
  WebSearchProviderPlugin,
} from './providerTypes.ts';
import type { PluginRuntime } from './runtimeTypes.ts';
import type { PluginService } from './serviceTypes.ts';
import type {
  PluginNextTurnInjection,
  PluginSessionTurnHandle,
  PluginSessionTurnSchedule,
  PluginNextTurnInjectionResult,
  PluginRunContextMethods,
  PluginRuntimeLifecycle,
  PluginSessionAction,
  PluginSessionExtension,
  PluginSessionExtensionPatch,
  PluginTrustedToolPolicy,
} from './sessionTypes.ts';
import type {
  AgentToolResultMiddleware,
  AgentToolResultMiddlewareOptions,
  PluginTool,
  PluginToolFactory,
  PluginToolMetadataRegistration,
  PluginToolOptions,
} from './toolTypes.ts';

/**
 * What a plugin's `register` gets. Names and shapes are OpenClaw's (OpenClaw plugin API, OpenClawPluginApi Methods; OpenClaw
 * hooks), so that its plugins run unmodified. Methods work as long as the plugin is loaded and throw afterwards.
 */
export interface OpenClawPluginApi extends PluginRunContextMethods {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Absolute path of the plugin's entry file. */
  readonly source: string;
  readonly rootDir: string;
  /** The host's configuration. */
  readonly config: OpenClawConfig;
  /** The plugin's own settings, checked against its manifest's `configSchema`, defaults filled in. */
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly logger: PluginLogger;
  readonly runtime: PluginRuntime;
  /** The same methods as below, under the names of newer plugins. */
  readonly session: {
    readonly state: Pick<OpenClawPluginApi, 'registerSessionExtension' | 'patchSessionExtension'>;
    readonly workflow: Pick<
      OpenClawPluginApi,
      'enqueueNextTurnInjection' | 'scheduleSessionTurn' | 'unscheduleSessionTurnsByTag'
    >;
    readonly controls: Pick<OpenClawPluginApi, 'registerSessionAction'>;
  };
  readonly agent: {
    readonly events: Pick<OpenClawPluginApi, 'registerAgentEventSubscription' | 'emitAgentEvent'>;
  };
  readonly lifecycle: Pick<OpenClawPluginApi, 'registerRuntimeLifecycle'>;
  readonly runContext: PluginRunContextMethods;

  /** Adds a tool that the model can call; a factory is asked once for each session and may return none. */
  registerTool(tool: PluginTool | PluginToolFactory, options?: PluginToolOptions): void;
  /** Adds a slash command. */
  registerCommand(command: PluginCommandDefinition): void;
  /** Listens to a hook. Higher priorities run first; default 0. */
  on<N extends HookName>(hook: N, handler: PluginHookHandler<N>, options?: PluginHookOptions): void;
  /** Adds something that runs while the plugin is loaded. */
  registerService(service: PluginService): void;
  /** Listens to internal events (`command:new`, `session:start` …). */
  registerHook(
    events: string | readonly string[],
    handler: InternalHookHandler,
    options?: InternalHookOptions,
  ): void;
  /** Adds commands to the `pincer` program. */
  registerCli(registrar: PluginCliRegistrar, options?: PluginCliOptions): void;
  /** Adds state of the plugin's own to each session. */
  registerSessionExtension(extension: PluginSessionExtension): void;
  /** Stores or removes a value of that state. @throws where the session does not exist or the value is no JSON or too large */
  patchSessionExtension(patch: PluginSessionExtensionPatch): Promise<unknown>;
  /** Adds something that a person starts on one session: `pincer sessions action`. */
  registerSessionAction(action: PluginSessionAction): void;
  /** Adds text to the next turn of a session. @throws where the session does not exist or the text is too long */
  enqueueNextTurnInjection(injection: PluginNextTurnInjection): Promise<PluginNextTurnInjectionResult>;
  /** A turn of a session at a later time; needs the user's permission, as running an agent does. Undefined where there is no such session. */
  scheduleSessionTurn(params: PluginSessionTurnSchedule): Promise<PluginSessionTurnHandle | undefined>;
  /** Takes such turns out that have not come yet. */
  unscheduleSessionTurnsByTag(params: {
    readonly sessionKey: string;
    readonly tag: string;
  }): Promise<{ readonly removed: number; readonly failed: number }>;
  /** Hears the events of all turns; needs the user's permission, as a hook that reads conversations does. */
  registerAgentEventSubscription(subscription: PluginAgentEventSubscription): void;
  /** Tells everybody who listens to agent events something. */
  emitAgentEvent(event: PluginAgentEventEmit): PluginAgentEventEmitResult;
  /** Cleans up when a session is reset or deleted, or the plugin is disabled or restarted. */
  registerRuntimeLifecycle(lifecycle: PluginRuntimeLifecycle): void;
  /** Judges tool calls before every hook. Bundled plugins only. */
  registerTrustedToolPolicy(policy: PluginTrustedToolPolicy): void;
  /** Rewrites results of tools before a model reads them. Needs `contracts.agentToolResultMiddleware` in the manifest. */
  registerAgentToolResultMiddleware(
    middleware: AgentToolResultMiddleware,
    options?: AgentToolResultMiddlewareOptions,
  ): void;
  /** How people read one of the plugin's tools; the model is told nothing of it. */
  registerToolMetadata(metadata: PluginToolMetadataRegistration): void;
  /** Answers, while the gateway runs, callers with its token whom no route serves. */
  registerHttpHandler(handler: PluginHttpHandler): void;
  /** Serves a path while the gateway runs. */
  registerHttpRoute(route: PluginHttpRoute): void;
  /** Answers clients of the gateway over WebSocket. Without a `scope` only clients with `operator.admin` may call it. */
  registerGatewayMethod(
    method: string,
    handler: GatewayRequestHandler,
    options?: { readonly scope?: string },
  ): void;
  /** No effect: channels do not run; a warning says so. */
  registerChannel(channel: ChannelPlugin | PluginChannelRegistration): void;
  /** Adds models: of a server that speaks a known protocol, or of the plugin's own stream function. */
  registerProvider(provider: ProviderPlugin): void;
  /** Answers `web_search` where the user's config names its id (`tools.web.search.provider`). */
  registerWebSearchProvider(provider: WebSearchProviderPlugin): void;
  /** Reads pages that `web_fetch` can not read where the user's config names its id (`tools.web.fetch.provider`). */
  registerWebFetchProvider(provider: WebFetchProviderPlugin): void;
  /** Gives the memory its vectors where the user's config names its id (`memory.provider`). */
  registerEmbeddingProvider(provider: EmbeddingProviderAdapter): void;
  /** The same, as older plugins call it. */
  registerMemoryEmbeddingProvider(provider: EmbeddingProviderAdapter): void;
  /** Says what models read of conversations where the user's config names it (`plugins.slots.contextEngine`). */
  registerContextEngine(id: string, factory: ContextEngineFactory): void;
  /** What the plugin in the memory slot does beside its tools. @throws where the plugin's kind is not `memory` */
  registerMemoryCapability(capability: MemoryPluginCapability): void;
  /** The capability's `promptBuilder`, as older plugins register it. @throws where the plugin's kind is not `memory` */
  registerMemoryPromptSection(builder: MemoryPromptSectionBuilder): void;
  /** The capability's `flushPlanResolver`, as older plugins register it. @throws where the plugin's kind is not `memory` */
  registerMemoryFlushPlan(resolver: MemoryFlushPlanResolver): void;
  /** The capability's `runtime`, as older plugins register it. @throws where the plugin's kind is not `memory` */
  registerMemoryRuntime(runtime: MemoryPluginRuntime): void;
  /** Lines for the system prompt beside the memory's own; of any plugin. */
  registerMemoryPromptSupplement(builder: MemoryPromptSectionBuilder): void;
  /** The same for lines that take time: at most 3 seconds, for which the turn waits. */
  registerMemoryPromptPreparation(
    prepare: (params: MemoryPromptSectionParams) => Promise<readonly string[]>,
  ): void;
  /** A corpus that `memory_search` and `memory_get` ask beside the memory; of any plugin. */
  registerMemoryCorpusSupplement(supplement: MemoryCorpusSupplement): void;
  /** Writes the summary of a compaction where the user's config names its id (`agent.compaction.provider`). */
  registerCompactionProvider(provider: CompactionProvider): void;
  /** Reads answers aloud in the Chat view. */
  registerSpeechProvider(provider: SpeechProviderPlugin): void;
  /** An absolute path: `~` is the home folder, relative paths start at the workspace folder. */
  resolvePath(input: string): string;
}

/** What a plugin module exports: this object, or its `register` alone. */
export interface PluginDefinition {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly kind?: string | readonly string[];
  readonly configSchema?: OpenClawPluginConfigSchema | (() => OpenClawPluginConfigSchema);
  register?(api: OpenClawPluginApi): unknown;
  activate?(api: OpenClawPluginApi): unknown;
}

export type PluginJsonValue = Json;
