import { isRecord } from '../../base/json.ts';
import type { PluginManifest, RegistrationKind } from '../pluginTypes.ts';

/** A method of upstream's API whose registrations are checked, kept and listed, and have no effect here. */
export interface ListedMethod {
  readonly kind: RegistrationKind;
  /** What is lost by that, as the rest of a sentence; the user reads it. */
  readonly lost: string;
  /** The name it is listed by, or what is missing (upstream's texts). */
  readonly read: (args: readonly unknown[], manifest: PluginManifest) => ReadRegistration;
  /** What a second one of the same name is told; `plugin` has the name. Absent: names may repeat. */
  readonly taken?: (name: string, plugin: string) => string;
}

type ReadRegistration = { readonly name: string } | { readonly problem: string };

const noNodes = 'paired devices do not exist here, so it never runs';
const noMicrophone = 'VS Code gives pages of extensions no microphone';
const noControlUi = 'there is no Control UI here, so nothing shows it';

/**
 * What of upstream's API has no effect here, and what is lost by it: the one table of feature detection. Plugins call `register…`
 * unguarded, so each stays callable, and a call is a warning. One that stands neither here nor in the API is listed as `other`.
 */
export const listedMethods: Readonly<Record<string, ListedMethod>> = {
  ...others({
    registerGatewayDiscoveryService: 'the gateway serves this machine alone, so nothing is announced',
    registerReload: 'a changed setting loads the plugin again as a whole',
    registerNodeCliFeature: noNodes,
    registerNodeHostCommand: noNodes,
    registerNodeInvokePolicy: noNodes,
    registerSecurityAuditCollector: 'there is no security audit that would ask it',
    registerCliBackend: 'models are asked by their servers, never by other programs',
    registerTextTransforms: 'prompts and answers pass unchanged; message_sending can change an answer',
    registerConfigMigration: 'no configuration of an older release is migrated',
    registerMigrationProvider: 'nothing is imported from other programs',
    registerAutoEnableProbe: 'a plugin runs only where the user has enabled it',
    registerModelCatalogProvider: 'models come from registerProvider alone',
    registerRealtimeTranscriptionProvider: `nothing is dictated by it: ${noMicrophone}`,
    registerRealtimeVoiceProvider: `there are no voice calls here: ${noMicrophone}`,
    registerMediaUnderstandingProvider: 'audio and video are not read by it; images go to the model itself',
    registerTranscriptSourceProvider: 'transcripts of meetings are not imported',
    registerImageGenerationProvider: 'no tool here makes images',
    registerVideoGenerationProvider: 'no tool here makes videos',
    registerMusicGenerationProvider: 'no tool here makes music',
    registerInteractiveHandler: 'channels send text here, so no button of theirs calls it',
    registerAgentHarness: 'turns are run by the agent loop of this program alone',
    registerCodexAppServerExtensionFactory: 'there is no Codex app server here',
    registerControlUiDescriptor: noControlUi,
    registerDetachedTaskRuntime: 'there are no detached tasks here',
    registerHostedMediaResolver: 'no media is hosted here',
    registerMcpServerConnectionResolver: 'it binds no MCP server to the sender of a message',
  }),
};

/**
 * Methods that upstream has only since lately. While they do nothing here they are absent, so that a plugin that looks for them takes
 * its own way round.
 */
export const absentMethods: ReadonlySet<string> = new Set([
  'registerBoardWidgetContentKind',
  'registerDecisionProvider',
  'registerGatewayAccessPolicy',
  'registerSessionCatalog',
  'registerWidgetPresenter',
  'registerWorkerProvider',
]);

/** Other calls of upstream's that have no effect here: what is lost, and what the caller gets. */
export const idleCalls: Readonly<Record<string, { readonly lost: string; readonly answer?: () => unknown }>> =
  {
    sendSessionAttachment: {
      lost: 'a file is sent by the tool message alone',
      answer: () => Promise.resolve({ ok: false, error: 'a file is sent by the tool message alone' }),
    },
    onConversationBindingResolved: {
      lost: 'conversations are bound by the config alone, so it is never called',
    },
  };

const oneWayToReply = 'answers go through dispatchReplyWithBufferedBlockDispatcher';
const ownDownloads = 'a channel loads media by its own means and hands it to saveMediaBuffer';
const ingress = "who may write is decided by the host, by the user's config and pairings";
const notMade = 'no provider of such media is asked here';
const notRead = 'no provider that reads media is asked here; describeImageFile asks a model of the user';

/**
 * Members of `api.runtime` that upstream has and this has not, and what is lost by it. They are `undefined`, so that a plugin that looks
 * for them takes its own way round; the first look at one is noted.
 */
export const absentRuntime: Readonly<Record<string, string>> = {
  decisions: 'no decision providers exist here',
  hooks: 'no agent turns are started for content from outside',
  'media.loadWebMedia': 'media are read and sent by channels and tools of the host',
  'media.resizeToJpeg': 'images go to the model as they are',
  tts: 'a speech provider is asked when the user has an answer read aloud, and agreed to it; plugins ask nobody to speak',
  stt: notRead,
  'mediaUnderstanding.describeImageFileWithModel': notRead,
  'mediaUnderstanding.describeVideoFile': notRead,
  'mediaUnderstanding.extractStructuredWithModel': notRead,
  'mediaUnderstanding.resolveAudioInputBudget': notRead,
  'mediaUnderstanding.runFile': notRead,
  'mediaUnderstanding.transcribeAudioFile': notRead,
  imageGeneration: notMade,
  videoGeneration: notMade,
  musicGeneration: notMade,
  'channel.reactions': 'nothing here reacts to messages; a channel may by its own means',
  'channel.threadBindings': 'threads are bound by the config alone',
  'channel.runtimeContexts': 'channels share nothing with each other',
  'channel.reply.createReplyDispatcherWithTyping': oneWayToReply,
  'channel.reply.withReplyDispatcher': oneWayToReply,
  'channel.reply.settleReplyDispatcher': oneWayToReply,
  'channel.media.readRemoteMediaBuffer': ownDownloads,
  'channel.media.fetchRemoteMedia': ownDownloads,
  'channel.media.saveRemoteMedia': ownDownloads,
  'channel.media.saveResponseMedia': ownDownloads,
  'channel.inbound.ingress': ingress,
  'channel.turn.ingress': ingress,
  gateway: 'plugins call no methods of the gateway',
  nodes: 'paired devices do not exist here',
  sandbox: 'where a command runs is decided by the user and the host',
  tasks: 'there are no detached tasks here',
  taskFlow: 'there are no detached tasks here',
  worktrees: "Git worktrees are the user's; agents make none",
  modelConfig: 'the model of a turn is chosen by the user and by before_model_resolve',
  modelAuth: 'keys of models are never given to plugins',
  'agent.defaults': 'there is no default model for all users',
  'agent.resolveSessionCatalogCreateTarget': 'there are no session catalogs here',
  'agent.resolveThinkingDefault': 'how much a model thinks is set by the user',
  'agent.normalizeThinkingLevel': 'how much a model thinks is set by the user',
  'agent.resolveThinkingPolicy': 'how much a model thinks is set by the user',
  'agent.runCommandFromIngress': 'commands of the chat are not run from afar',
  'agent.resolveCliBackendDispatchEligibility': 'models are asked by their servers, never by other programs',
  'agent.session': 'sessions are kept by the host; a plugin keeps its own state in a session extension',
  'state.openChannelIngressDrain': 'messages are kept and handed on by the host',
  'llm.acquireLocalService': 'no model servers are started for plugins',
};

/** Rows of the same shape: listed by what the method registers and the id of its argument. */
function others(lost: Readonly<Record<string, string>>): Readonly<Record<string, ListedMethod>> {
  return Object.fromEntries(
    Object.entries(lost).map(([method, text]) => [method, { ...unlistedMethod(method), lost: text }]),
  );
}

/** How a method that the table does not know is listed: by its own name and, where it has one, the id of its argument. */
export function unlistedMethod(method: string): ListedMethod {
  const what = method
    .replace(/^register/u, '')
    .replace(/(?!^)([A-Z])/gu, ' $1')
    .toLowerCase();
  return {
    kind: 'other',
    lost: 'nothing here uses it',
    read: ([first]) => {
      const id = text(first) ?? textAt(first, 'id') ?? textAt(first, 'name');
      return { name: id === undefined ? what : `${what} ${id}` };
    },
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function textAt(value: unknown, field: string): string | undefined {
  return isRecord(value) ? text(value[field]) : undefined;
}
