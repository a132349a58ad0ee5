/** The names under which upstream exports these types. */
import type { PluginCliContext, PluginCliRegistrar } from './cliTypes.ts';
import type { PluginCommandDefinition, PluginCommandReply } from './commandTypes.ts';
import type {
  PluginChannelRegistration,
  PluginHttpHandler,
  PluginHttpUpgradeHandler,
} from './listedTypes.ts';
import type { PluginDefinition } from './pluginApi.ts';
import type { PluginService, PluginServiceContext } from './serviceTypes.ts';
import type {
  PluginNextTurnInjectionResult,
  PluginRuntimeLifecycle,
  PluginSessionExtension,
  PluginTrustedToolPolicy,
} from './sessionTypes.ts';
import type { PluginTool, PluginToolContext, PluginToolFactory, PluginToolResult } from './toolTypes.ts';
import type { PluginConfigUiHint } from './configTypes.ts';
import type { InternalHookOptions } from './pluginHookTypes.ts';

export type AnyAgentTool = PluginTool;
export type AgentTool = PluginTool;
export type AgentToolResult = PluginToolResult;
export type OpenClawPluginToolFactory = PluginToolFactory;
export type OpenClawPluginToolContext = PluginToolContext;
export type OpenClawPluginCommandDefinition = PluginCommandDefinition;
export type PluginCommandResult = PluginCommandReply;
export type OpenClawPluginService = PluginService;
export type OpenClawPluginServiceContext = PluginServiceContext;
export type OpenClawPluginDefinition = PluginDefinition;
export type OpenClawPluginCliRegistrar = PluginCliRegistrar;
export type OpenClawPluginCliContext = PluginCliContext;
export type OpenClawPluginHttpHandler = PluginHttpHandler;
export type OpenClawPluginHttpRouteHandler = PluginHttpHandler;
export type OpenClawPluginHttpRouteUpgradeHandler = PluginHttpUpgradeHandler;
export type OpenClawPluginChannelRegistration = PluginChannelRegistration;
export type OpenClawPluginHookOptions = InternalHookOptions;
export type PluginConfigUiHints = Readonly<Record<string, PluginConfigUiHint>>;
export type PluginNextTurnInjectionEnqueueResult = PluginNextTurnInjectionResult;
export type PluginRuntimeLifecycleRegistration = PluginRuntimeLifecycle;
export type PluginSessionExtensionRegistration = PluginSessionExtension;
export type PluginTrustedToolPolicyRegistration = PluginTrustedToolPolicy;
