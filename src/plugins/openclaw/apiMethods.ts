import { listedMethods } from '../listed/listedMethods.ts';
import { mayListen } from './conversationAccess.ts';
import { keepListed } from './keepListed.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { emitAgentEvent, registerAgentEventSubscription } from './registerAgentEvents.ts';
import { registerChannel } from './registerChannel.ts';
import { registerCli } from './registerCli.ts';
import { registerHttpHandler, registerHttpRoute } from './registerHttp.ts';
import { registerGatewayMethod } from './registerGatewayMethod.ts';
import { registerHook } from './registerHooks.ts';
import { registerLegacyHook } from './registerLegacyHook.ts';
import {
  registerMemoryCapability,
  registerMemoryCorpusSupplement,
  registerMemoryLines,
  registerMemoryPart,
} from './registerMemoryCapability.ts';
import { registerContextEngine, registerHostProvider, registerProvider } from './registerProvider.ts';
import { registerCommand, registerService, registerTool } from './registerParts.ts';
import {
  enqueueNextTurnInjection,
  patchSessionExtension,
  registerRuntimeLifecycle,
  registerSessionAction,
  registerSessionExtension,
  registerSessionSchedulerJob,
} from './registerSessionParts.ts';
import { scheduleSessionTurn, unscheduleSessionTurnsByTag } from './registerSchedule.ts';
import { registerToolMetadata, registerToolResultMiddleware } from './registerToolParts.ts';
import { registerToolPolicy } from './registerToolPolicy.ts';

/** One method of the plugin API; its arguments come from a plugin and are anything. */
export type ApiMethod = (parts: PluginApiParts, ...args: readonly unknown[]) => unknown;

/** Every method that does something here, by upstream's name (OpenClaw plugin API). */
export const apiMethods: Readonly<Record<string, ApiMethod>> = {
  ...Object.fromEntries(
    Object.keys(listedMethods).map((name): [string, ApiMethod] => [
      name,
      (parts, ...args) => keepListed(parts, name, args),
    ]),
  ),
  registerTool,
  registerCommand,
  registerService,
  registerProvider,
  registerWebSearchProvider: (parts, provider) =>
    registerHostProvider(parts, 'web search provider', provider),
  registerWebFetchProvider: (parts, provider) => registerHostProvider(parts, 'web fetch provider', provider),
  registerCompactionProvider: (parts, provider) =>
    registerHostProvider(parts, 'compaction provider', provider),
  registerEmbeddingProvider: (parts, provider) => registerHostProvider(parts, 'embedding provider', provider),
  registerMemoryEmbeddingProvider: (parts, provider) =>
    registerHostProvider(parts, 'embedding provider', provider),
  registerSpeechProvider: (parts, provider) => registerHostProvider(parts, 'speech provider', provider),
  registerContextEngine,
  registerChannel,
  registerMemoryCapability: (parts, capability) => registerMemoryCapability(parts, capability),
  registerMemoryPromptSection: (parts, builder) => registerMemoryPart(parts, 'promptBuilder', builder),
  registerMemoryFlushPlan: (parts, resolver) => registerMemoryPart(parts, 'flushPlanResolver', resolver),
  registerMemoryRuntime: (parts, runtime) => registerMemoryPart(parts, 'runtime', runtime),
  registerMemoryPromptSupplement: (parts, builder) => registerMemoryLines(parts, 'lines', builder),
  registerMemoryPromptPreparation: (parts, prepare) => registerMemoryLines(parts, 'prepared lines', prepare),
  registerMemoryCorpusSupplement,
  registerHttpRoute,
  registerHttpHandler,
  registerGatewayMethod,
  registerHook: registerLegacyHook,
  on: registerHook,
  registerCli,
  registerTrustedToolPolicy: registerToolPolicy,
  registerAgentToolResultMiddleware: registerToolResultMiddleware,
  registerToolMetadata,
  registerSessionExtension,
  registerSessionAction,
  registerRuntimeLifecycle,
  registerSessionSchedulerJob,
  enqueueNextTurnInjection,
  patchSessionExtension,
  scheduleSessionTurn,
  unscheduleSessionTurnsByTag,
  registerAgentEventSubscription: (parts, subscription) =>
    registerAgentEventSubscription(parts, mayListen(parts), subscription),
  emitAgentEvent,
  setRunContext: ({ runContexts, manifest }, patch) => runContexts.set(manifest.id, patch),
  getRunContext: ({ runContexts, manifest }, query) => runContexts.get(manifest.id, query),
  clearRunContext: ({ runContexts, manifest }, query) => runContexts.clear(manifest.id, query),
};

/** Newer plugins reach some methods through these names; each has the method of the table above. */
export const apiNamespaces: Readonly<Record<string, readonly string[]>> = {
  'session.state': ['registerSessionExtension', 'patchSessionExtension'],
  'session.workflow': [
    'enqueueNextTurnInjection',
    'registerSessionSchedulerJob',
    'scheduleSessionTurn',
    'unscheduleSessionTurnsByTag',
  ],
  'session.controls': ['registerControlUiDescriptor', 'registerSessionAction'],
  lifecycle: ['registerRuntimeLifecycle'],
  'agent.events': ['registerAgentEventSubscription', 'emitAgentEvent'],
  runContext: ['setRunContext', 'getRunContext', 'clearRunContext'],
};
