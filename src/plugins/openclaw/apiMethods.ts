import { listedMethods } from '../listed/listedMethods.ts';
import { mayListen } from './conversationAccess.ts';
import { keepListed } from './keepListed.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { emitAgentEvent, registerAgentEventSubscription } from './registerAgentEvents.ts';
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
import { scheduleSessionTurn, unscheduleSessionTurnsByTag } from './scheduleSessionTurns.ts';
import { registerToolMetadata, registerToolResultMiddleware } from './registerToolParts.ts';
import { registerToolPolicy } from './registerToolPolicy.ts';
import { labelOf, readChannelPlugin } from '../../channels/channelPlugin.ts';
import { channelTaken } from '../listed/findCollisions.ts';
import { infoDiagnostic } from '../pluginDiagnostics.ts';
import { refuseRegistration } from './refuseRegistration.ts';
import { isRecord } from '../../base/json.ts';

/** One method of the plugin API; its arguments come from a plugin and are anything. */
type ApiMethod = (parts: PluginApiParts, ...args: readonly unknown[]) => unknown;

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

/** `api.registerChannel`: a message channel, given directly or as `plugin` (OpenClaw plugin API, OpenClawPluginApi Methods). */
function registerChannel(parts: PluginApiParts, registration: unknown): void {
  const { registrations, manifest, call } = parts;
  const plugin = readChannelPlugin(registration);
  if (plugin === undefined) {
    refuseRegistration(parts, 'channel registration missing id');
    return;
  }
  const { id } = plugin;
  if (registrations.channels.some((each) => each.id === id)) {
    refuseRegistration(parts, channelTaken(id, manifest.id));
    return;
  }
  registrations.channels.push({ id, plugin, call });
  registrations.diagnostics.push(
    infoDiagnostic('plugin_channel', `The channel ${labelOf(plugin)} runs once you enable it.`, {
      pluginId: manifest.id,
      hint: `Set channels.${id}.enabled to true in your config; docs/channels.md tells the rest.`,
    }),
  );
}

/** `api.registerCli(registrar, { commands | descriptors })`: commands for the `pincer` program (OpenClaw plugin API, CLI Registration). */
function registerCli(parts: PluginApiParts, registrar: unknown, options: unknown): void {
  if (typeof registrar !== 'function') {
    refuseRegistration(parts, 'cli registrar must be a function');
    return;
  }
  parts.registrations.cli.push({
    registrar: (context) => Reflect.apply(registrar, undefined, [context]) as unknown,
    commands: declaredCommands(options),
  });
}

function declaredCommands(options: unknown): readonly string[] {
  if (!isRecord(options)) return [];
  const { commands, descriptors } = options;
  const names = [
    ...(Array.isArray(commands) ? (commands as unknown[]) : []),
    ...(Array.isArray(descriptors) ? (descriptors as unknown[]) : []).map((each) =>
      isRecord(each) ? each['name'] : undefined,
    ),
  ];
  const texts = names.flatMap((name) =>
    typeof name === 'string' && name.trim() !== '' ? [name.trim()] : [],
  );
  return [...new Set(texts)];
}
