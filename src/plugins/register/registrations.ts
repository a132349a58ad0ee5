import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ToolDisplay } from '../../contracts/tool.ts';
import type { HookRegistration } from '../../hooks/hookRegistration.ts';
import type { HookName } from '../../hooks/hookMap.ts';
import type { BeforeToolCallEvent } from '../../hooks/payloads/toolHooks.ts';
import type { ToolHookContext } from '../../hooks/payloads/hookContexts.ts';
import type {
  AgentEventPayload,
  SessionTranscriptUpdate,
  PluginCommandDefinition,
  PluginService,
  PluginToolFactory,
} from '../../sdk/types.ts';
import type { ChannelPlugin } from '../../channels/channelPlugin.ts';
import type { CallPlugin } from '../createCallGuard.ts';
import type { GatewayScope } from '../coreGatewayMethods.ts';
import type { RegistrationKind } from '../pluginTypes.ts';
import type { MemoryCapabilityRegistration } from '../providers/memoryCapability.ts';
import type { MemorySupplementRegistration } from '../providers/memorySupplements.ts';
import type { HostProviderRegistration, ProviderRegistration } from '../providers/pluginProvider.ts';

export interface ToolRegistration {
  readonly factory: PluginToolFactory;
  /** Known before the factory has run: declared names and the name of a plain tool. */
  readonly names: readonly string[];
  readonly optional: boolean;
  /** Whether the user was shown a tool of this name; absent, any may be offered. */
  readonly isShown?: (name: string) => boolean;
  /** Calls the plugin's own code. */
  readonly call: CallPlugin;
}

/** Adds commands to the `pincer` program when it starts. */
export interface CliRegistration {
  readonly registrar: (context: object) => unknown;
  /** Names it says it adds, for finding collisions before it runs. */
  readonly commands: readonly string[];
}

/** A host policy that judges tool calls before every hook; bundled plugins only (OpenClaw hooks, Tool call policy). */
export interface ToolPolicyRegistration {
  readonly id: string;
  readonly description: string;
  readonly evaluate: (event: BeforeToolCallEvent, context: ToolHookContext) => unknown;
  /** The tools that it judges; absent, all. */
  readonly only?: readonly string[];
}

/** Why a plugin's state is cleaned up (OpenClaw hooks, Session extensions and next-turn injections). */
export type CleanupReason = 'reset' | 'delete' | 'disable' | 'restart';

export interface CleanupContext {
  readonly reason: CleanupReason;
  /** Absent where the plugin as a whole ends. */
  readonly sessionKey?: string;
}

export interface SessionExtensionRegistration {
  readonly namespace: string;
  readonly description: string;
  /** What others see of the stored value; must not return a promise. */
  readonly project?: (context: object) => unknown;
  readonly cleanup?: (context: CleanupContext) => unknown;
}

/** Something that a person starts on one session. */
interface SessionActionRegistration {
  readonly id: string;
  readonly description?: string;
  /** JSON Schema (draft-07) of the payload. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly handler: (context: object) => unknown;
}

/** Lets go of what a plugin holds beyond its registrations. */
export interface LifecycleRegistration {
  readonly id: string;
  readonly cleanup: (context: CleanupContext) => unknown;
}

/** A listener of internal events such as `command:new`. */
export interface InternalHookRegistration {
  readonly name: string;
  readonly events: readonly string[];
  readonly handler: (event: never) => unknown;
}

/** Rewrites results of tools before a model reads them (OpenClaw documentation, Agent harness attempt runtime, Tool-result middleware). */
interface MiddlewareRegistration extends HookRegistration {
  /** The tools whose results it wants; absent, all. */
  readonly only?: readonly string[];
}

/** How people read a tool of the plugin (OpenClaw documentation, Plugin SDK host hooks for workflow plugins). */
export interface ToolMetadata extends ToolDisplay {
  readonly toolName: string;
  readonly displayName?: string;
}

/** What the gateway asks a plugin for (OpenClaw documentation, Gateway routes). */
export interface HttpRouteRegistration {
  readonly kind: 'http route' | 'http handler';
  /** Begins with a slash, ends without; of a handler `*`. */
  readonly path: string;
  readonly match: 'exact' | 'prefix';
  /** Who checks the caller: the gateway by its token, or the plugin. */
  readonly auth: 'gateway' | 'plugin';
  /** The plugin's function, to know it again. */
  readonly handler: (...args: never[]) => unknown;
  /** False: the next may answer. Rejects with whatever the plugin throws. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** The same of a request to change the protocol, to WebSocket mostly; absent where the plugin takes none. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<boolean>;
}

/** A method that clients of the gateway call (OpenClaw plugin API, OpenClawPluginApi Methods). */
export interface GatewayMethodRegistration {
  readonly method: string;
  /** What a client must be allowed to do for it. */
  readonly scope: GatewayScope;
  /** Gets upstream's options; rejects with whatever the plugin throws. */
  readonly handle: (options: object) => Promise<unknown>;
}

/** A message channel (OpenClaw plugin API, OpenClawPluginApi Methods). */
export interface ChannelRegistration {
  readonly id: string;
  readonly plugin: ChannelPlugin;
  /** Calls the plugin's own code. */
  readonly call: CallPlugin;
}

/** Something that is registered, listed and checked, but that nothing uses yet. */
interface ListedRegistration {
  readonly kind: RegistrationKind;
  readonly name: string;
  /** The API method it came by. */
  readonly method: string;
  readonly value: unknown;
}

/** A handler that a plugin has registered by `api.on`. */
export interface ListenerRegistration extends HookRegistration {
  readonly hook: HookName;
  /** The tools or triggers that it wants to hear of, as `matches` goes by them; absent, all. */
  readonly only?: readonly string[];
}

/** Everything one plugin has registered, in its order. Dropping the object rolls all of it back. */
export interface Registrations {
  readonly tools: ToolRegistration[];
  readonly commands: PluginCommandDefinition[];
  readonly hooks: ListenerRegistration[];
  readonly services: PluginService[];
  readonly cli: CliRegistration[];
  readonly policies: ToolPolicyRegistration[];
  readonly sessionExtensions: SessionExtensionRegistration[];
  readonly sessionActions: SessionActionRegistration[];
  readonly lifecycles: LifecycleRegistration[];
  readonly internalHooks: InternalHookRegistration[];
  readonly providers: ProviderRegistration[];
  readonly hostProviders: HostProviderRegistration[];
  /** The later one counts, field by field. */
  readonly memoryCapabilities: MemoryCapabilityRegistration[];
  readonly memorySupplements: MemorySupplementRegistration[];
  /** Each hears every event of every turn; none throws. */
  readonly agentListeners: ((event: AgentEventPayload) => void)[];
  /** Each hears of every message that is stored; none throws. */
  readonly transcriptListeners: ((update: SessionTranscriptUpdate) => void)[];
  readonly middleware: MiddlewareRegistration[];
  readonly toolMetadata: ToolMetadata[];
  readonly httpRoutes: HttpRouteRegistration[];
  readonly gatewayMethods: GatewayMethodRegistration[];
  readonly channels: ChannelRegistration[];
  readonly listed: ListedRegistration[];
  readonly diagnostics: Diagnostic[];
}

export function createRegistrations(): Registrations {
  return {
    tools: [],
    commands: [],
    hooks: [],
    services: [],
    cli: [],
    policies: [],
    sessionExtensions: [],
    sessionActions: [],
    lifecycles: [],
    internalHooks: [],
    providers: [],
    hostProviders: [],
    memoryCapabilities: [],
    memorySupplements: [],
    agentListeners: [],
    transcriptListeners: [],
    middleware: [],
    toolMetadata: [],
    httpRoutes: [],
    gatewayMethods: [],
    channels: [],
    listed: [],
    diagnostics: [],
  };
}

/** Something registered, and what lists call it. */
interface NamedRegistration {
  readonly kind: RegistrationKind;
  readonly names: readonly string[];
  readonly item: unknown;
}

/** Everything that a plugin has registered, by kind. Pure. */
export function listRegistrations(registered: Registrations): readonly NamedRegistration[] {
  const { tools, hooks, commands, services, cli, policies, sessionExtensions, internalHooks } = registered;
  return [
    ...tools.map((item) => ({ kind: 'tool', names: item.names, item }) as const),
    ...hooks.map((item) => ({ kind: 'hook', names: [item.hook], item }) as const),
    ...commands.map((item) => ({ kind: 'command', names: [item.name], item }) as const),
    ...services.map((item) => ({ kind: 'service', names: [item.id], item }) as const),
    ...cli.map((item) => ({ kind: 'cli', names: cliNames(item), item }) as const),
    ...policies.map((item) => ({ kind: 'tool policy', names: [item.id], item }) as const),
    ...sessionExtensions.map(
      (item) => ({ kind: 'session extension', names: [item.namespace], item }) as const,
    ),
    ...registered.sessionActions.map((item) => ({ kind: 'session action', names: [item.id], item }) as const),
    ...internalHooks.map((item) => ({ kind: 'internal hook', names: [item.name], item }) as const),
    ...registered.providers.map((item) => ({ kind: 'model provider', names: [item.id], item }) as const),
    ...registered.hostProviders.map((item) => ({ kind: item.kind, names: [item.id], item })),
    ...registered.memoryCapabilities.map(
      (item) => ({ kind: 'memory capability', names: item.fields, item }) as const,
    ),
    ...registered.memorySupplements.map((item) => ({ kind: item.kind, names: [item.id], item })),
    ...registered.middleware.map(
      (item) => ({ kind: 'tool result middleware', names: item.only ?? ['every tool'], item }) as const,
    ),
    ...registered.toolMetadata.map(
      (item) => ({ kind: 'tool metadata', names: [item.toolName], item }) as const,
    ),
    ...registered.lifecycles.map((item) => ({ kind: 'lifecycle', names: [item.id], item }) as const),
    ...registered.httpRoutes.map((item) => ({ kind: item.kind, names: [item.path], item })),
    ...registered.gatewayMethods.map(
      (item) => ({ kind: 'gateway method', names: [item.method], item }) as const,
    ),
    ...registered.channels.map((item) => ({ kind: 'channel', names: [item.id], item }) as const),
    ...registered.listed.map((item) => ({ kind: item.kind, names: [item.name], item })),
  ];
}

function cliNames({ commands }: CliRegistration): readonly string[] {
  return commands.length === 0 ? ['(undeclared)'] : commands;
}
