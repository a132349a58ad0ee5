import { join } from 'node:path';
import type { Disposable } from '../base/disposable.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import type { ConversationOrigins } from '../agents/createSubagentHooks.ts';
import { resolveRoute, type RouteMessage } from '../agents/resolveRoute.ts';
import type { ChannelEntry } from '../channels/channelPlugin.ts';
import type { Channels } from '../channels/channels.ts';
import { createChannels, type ChannelCore } from '../channels/createChannels.ts';
import { announce, createMessageTool, type MessageToolDeps } from '../channels/messageTool.ts';
import { createChannelRuntime } from '../channels/runtime/createChannelRuntime.ts';
import { readImages } from '../channels/runtime/saveMedia.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import type { PluginChannel } from '../plugins/pluginManager.ts';
import { resolveConfigSecrets } from '../plugins/manifest/resolveConfigSecrets.ts';
import { buildSessionKey, peerChatId } from '../sessions/sessionKey.ts';
import { createChannelTurns, type ChannelTurnPorts } from './createChannelTurns.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface ChannelSideParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly reloadConfig: () => Promise<void>;
  readonly plugins: () => readonly PluginChannel[];
  /** The plugin has routes that nothing serves now. */
  readonly needsGateway: (pluginId: string) => boolean;
  readonly hooks: HookRunner;
  /** Takes the secrets of plugins' settings out of a text. */
  readonly redact: (text: string) => string;
  /** Asked when a message comes, never before. */
  readonly turns: ChannelTurnPorts;
}

/** The message channels of a workspace, as front ends, agents and plugins reach them. */
export interface ChannelSide extends Disposable {
  readonly channels: Channels;
  readonly core: ChannelCore;
  /** `message`. */
  readonly tool: AgentTool;
  readonly origins: ConversationOrigins;
  /** Sends what the user has asked for beforehand, such as the answer of a job. Rejects where it did not go out. */
  readonly announce: (
    to: { readonly channel: string; readonly to: string; readonly accountId?: string | undefined },
    text: string,
    from: { readonly sessionKey?: string | undefined; readonly runId?: string | undefined },
  ) => Promise<void>;
  /** `api.runtime.channel` of one plugin. */
  readonly runtimeOf: (pluginId: string) => Readonly<Record<string, unknown>>;
  /** The settings of a plugin's own channels, with their secrets. */
  readonly configOf: (pluginId: string) => Readonly<Record<string, unknown>>;
  readonly sync: () => void;
}

export function createChannelSide(parts: ChannelSideParts): ChannelSide {
  const { input, state } = parts;
  const { host, stateFolder } = input;
  const { processes } = host;
  const folder = join(stateFolder, 'channels');
  const media = { fs: host.fs, folder: join(folder, 'media') };
  const secrets = createChannelSecrets(parts);
  const entries = createEntries(parts, secrets, (id) => runtimeOf(id));
  const agents = () => state.config().agents;
  const routeOf = (message: RouteMessage) => resolveRoute(message, agents());
  const namesOf = (agentId: string): readonly string[] => {
    const found = agents().list.find(({ id }) => id === agentId);
    return found === undefined ? [] : [...new Set([found.name, found.id])].filter((name) => name !== 'main');
  };
  const turns = createChannelTurns({ ...parts, log: host.log, clock: host.clock, routeOf });
  const core = createChannels({
    ...host,
    owner: createProcessOwner((pid) => processes.startTimeOf(pid), processes.ownPid),
    folder,
    entries,
    config: () => state.config().channels,
    readConfig: parts.reloadConfig,
    blocked() {
      if (!state.isTrusted()) return 'the workspace is not trusted';
      return state.problem()?.message;
    },
    lacks: ({ pluginId }) =>
      parts.needsGateway(pluginId) ? 'needs the gateway, which is off: nothing comes in' : undefined,
    hooks: parts.hooks,
    report: state.report,
    ready: secrets.read,
    turns: {
      route(message) {
        const { channel, accountId, kind, peerId, threadId, parentPeerId, guildId, teamId, roles } = message;
        const route = routeOf({
          channel,
          accountId,
          peer: { kind, id: peerId },
          ...(parentPeerId === undefined ? {} : { parentPeer: { kind, id: parentPeerId } }),
          ...(guildId === undefined ? {} : { guildId }),
          ...(teamId === undefined ? {} : { teamId }),
          ...(roles === undefined ? {} : { roles }),
        });
        const chatId = peerChatId({
          accountId,
          kind,
          peerId,
          ...(threadId === undefined ? {} : { threadId }),
        });
        const sessionKey = buildSessionKey({ agentId: route.agentId, kind: 'chat', channel, chatId });
        return { ...route, sessionKey };
      },
      namesOf,
      run: turns.run,
      keep: turns.keep,
      keepAnswer: turns.keepAnswer,
      readImages: (message) => readImages(media, message),
      approve: turns.approve,
      answeredInWords: turns.answeredInWords,
      sessionOfKey: (key) => parts.turns.sessionOfKey(key),
    },
  });
  const outbox: MessageToolDeps = {
    fs: host.fs,
    files: input.files,
    layout: state.layout,
    core,
    hooks: parts.hooks,
    redact: parts.redact,
    keepAnswer: (conversation, text) => turns.keepAnswer(conversation, text, 'message'),
    mediaFolder: media.folder,
  };
  const runtimes = new Map<string, Readonly<Record<string, unknown>>>();
  const runtimeOf = (pluginId: string): Readonly<Record<string, unknown>> => {
    const known = runtimes.get(pluginId);
    if (known !== undefined) return known;
    const made = createChannelRuntime({
      pluginId,
      core,
      entryOf: (channel) =>
        entries().find((each) => each.pluginId === pluginId && each.mayRun && each.plugin.id === channel),
      route: routeOf,
      mainAgent: () => routeOf({ channel: input.surface }).agentId,
      namesOf,
      pairingRequested: core.pairingRequested,
      media,
      stateDir: folder,
      now: () => host.clock.now(),
      after: (ms, call) => host.clock.after(ms, call),
    });
    runtimes.set(pluginId, made);
    return made;
  };
  return {
    channels: core.channels,
    core,
    tool: createMessageTool(outbox),
    origins: {
      async originOf(sessionKey) {
        const found = await core.conversations.find(sessionKey);
        if (found === undefined) return undefined;
        const { channel, accountId, to, threadId } = found;
        return { channel, accountId, to, ...(threadId === undefined ? {} : { threadId }) };
      },
      async keyOf({ channel, to }) {
        const all = await core.conversations.list();
        return all.find((each) => each.channel === channel && (each.to === to || each.peerId === to))?.id;
      },
    },
    announce: ({ channel, to, accountId }, text, from) =>
      announce(outbox, { channel, target: to, accountId, message: text }, from),
    runtimeOf,
    configOf: (pluginId) =>
      Object.fromEntries(
        parts
          .plugins()
          .filter((each) => each.pluginId === pluginId && !each.isOfWorkspace)
          .flatMap(({ registration: { id } }) => {
            const section = secrets.section(id);
            return section === undefined ? [] : [[id, section] as const];
          }),
      ),
    sync: core.sync,
    dispose: () => core.channels.dispose(),
  };
}

interface ChannelSecrets {
  /** Reads what the config names. Never rejects. */
  readonly read: () => Promise<void>;
  /** The settings of a channel; undefined where there are none. */
  readonly section: (channel: string) => Readonly<Record<string, unknown>> | undefined;
  readonly redact: (text: string) => string;
}

/** Secrets stand in no file: the config of a channel names them, and they are read before its accounts start. */
function createChannelSecrets({ input: { host }, state }: ChannelSideParts): ChannelSecrets {
  let sections = new Map<string, Readonly<Record<string, unknown>>>();
  let values: readonly string[] = [];
  return {
    async read() {
      const found = new Map<string, Readonly<Record<string, unknown>>>();
      const all: string[] = [];
      for (const [id, section] of Object.entries(state.config().channels.entries)) {
        const resolved = await resolveConfigSecrets(section, {
          sources: { env: host.env, secrets: host.secrets },
          schema: {},
          mayResolve: section.enabled === true,
        });
        if (resolved.ok) {
          found.set(id, resolved.config as Readonly<Record<string, unknown>>);
          all.push(...resolved.values);
          continue;
        }
        found.set(id, section);
        if (section.enabled === true)
          state.report({
            level: 'warn',
            code: 'channel_secret_missing',
            message: `The channel ${id} lacks a secret: ${resolved.problems.join('; ')}.`,
            hint: 'Store it, then reload the plugins.',
          });
      }
      sections = found;
      values = all.filter((value) => value.length >= 6);
    },
    section: (channel) => sections.get(channel) ?? state.config().channels.entries[channel],
    redact: (text) => values.reduce((rest, value) => rest.replaceAll(value, '[removed]'), redactKeys(text)),
  };
}

/** One entry for each version of a channel: a new one starts its accounts anew. */
function createEntries(
  { plugins }: ChannelSideParts,
  secrets: ChannelSecrets,
  runtimeOf: (pluginId: string) => unknown,
): () => readonly ChannelEntry[] {
  const known = new WeakMap<object, ChannelEntry>();
  return () =>
    plugins().map(({ pluginId, registration, isOfWorkspace, currentConfig, redact }) => {
      const before = known.get(registration);
      if (before !== undefined) return before;
      const entry: ChannelEntry = {
        pluginId,
        plugin: registration.plugin,
        mayRun: !isOfWorkspace,
        cfg: currentConfig,
        call: registration.call,
        runtime: () => runtimeOf(pluginId),
        redact: (text) => secrets.redact(redact(text)),
      };
      known.set(registration, entry);
      return entry;
    });
}
