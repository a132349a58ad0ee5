import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { buildSessionKey, peerChatId } from '../../sessions/sessionKey.ts';
import type { AgentRoute, RouteMessage } from '../../agents/resolveRoute.ts';
import { channelForeign } from '../channelErrors.ts';
import type { ChannelEntry } from '../channelPlugin.ts';
import { accountSection, groupOf, mentionPatterns, mentions, type AccessConfig } from '../channelPolicy.ts';
import type { ChannelCore } from '../createChannels.ts';
import { pairingText } from '../admitSender.ts';
import type { Reception } from '../createInbound.ts';
import type { ReplyPort } from '../sendReply.ts';
import { chunkReply, defaultChunk } from '../chunkReply.ts';
import type { PairingRequest } from '../channels.ts';
import { createDebouncer } from './createDebouncer.ts';
import { saveMedia, type MediaPorts } from './saveMedia.ts';
import {
  channelIn,
  finalizeContext,
  kindOf,
  nameIn,
  namesIn,
  readContext,
  type MsgContext,
  type RouteFacts,
} from './readContext.ts';

/** What `api.runtime.channel` of one plugin stands on. */
export interface ChannelRuntimeDeps {
  readonly pluginId: string;
  readonly core: ChannelCore;
  /** Its channel of this id, where it is the one that brings it and may run. */
  readonly entryOf: (channel: string) => ChannelEntry | undefined;
  readonly route: (message: RouteMessage) => AgentRoute;
  readonly mainAgent: () => string;
  readonly namesOf: (agentId: string) => readonly string[];
  /** A sender of the plugin's channel waits anew. */
  readonly pairingRequested: (request: PairingRequest) => void;
  readonly media: MediaPorts;
  /** Absolute: where a plugin may believe that sessions are kept. */
  readonly stateDir: string;
  readonly now: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
}

type Members = Readonly<Record<string, unknown>>;

const maxFacts = 1_000;

/** `api.runtime.channel` (OpenClaw plugin API, OpenClawPluginApi Methods): upstream's names and shapes over the one inbound pipeline. */
export function createChannelRuntime(deps: ChannelRuntimeDeps): Members {
  const { core, pluginId } = deps;
  /** What the plugin said of a conversation, by its session key. */
  const facts = new Map<string, RouteFacts>();
  const activity = new Map<string, { inboundAt: number | null; outboundAt: number | null }>();
  const remember = (key: string, said: RouteFacts): void => {
    facts.delete(key);
    facts.set(key, said);
    const [oldest] = facts.keys();
    if (facts.size > maxFacts && oldest !== undefined) facts.delete(oldest);
  };
  /** @throws PincerError `channel_foreign` */
  const ownEntry = (channel: unknown): ChannelEntry => {
    const id = nameIn(channel)?.toLowerCase() ?? '';
    const entry = deps.entryOf(id);
    if (entry === undefined) throw channelForeign(pluginId, id);
    return entry;
  };

  const keyFor = (
    params: Members,
  ): { readonly key: string; readonly route: AgentRoute; readonly accountId: string } => {
    const { id: channel } = ownEntry(params['channel']).plugin;
    const peer = isRecord(params['peer']) ? params['peer'] : {};
    const parent = isRecord(params['parentPeer']) ? params['parentPeer'] : {};
    const kind = kindOf(peer['kind']) ?? 'direct';
    const peerId = nameIn(peer['id']);
    const accountId = nameIn(params['accountId']) ?? 'default';
    const guildId = nameIn(params['guildId']);
    const teamId = nameIn(params['teamId']);
    const parentPeerId = nameIn(parent['id']);
    const roles = namesIn(params['memberRoleIds']);
    const route = deps.route({
      channel,
      accountId,
      ...(peerId === undefined ? {} : { peer: { kind, id: peerId } }),
      ...(parentPeerId === undefined
        ? {}
        : { parentPeer: { kind: kindOf(parent['kind']) ?? kind, id: parentPeerId } }),
      ...(guildId === undefined ? {} : { guildId }),
      ...(teamId === undefined ? {} : { teamId }),
      ...(roles.length === 0 ? {} : { roles }),
    });
    const { agentId } = route;
    if (peerId === undefined) return { key: `agent:${agentId}:main`, route, accountId };
    const chatId = peerChatId({ accountId, kind, peerId });
    const key = buildSessionKey({ agentId, kind: 'chat', channel, chatId });
    remember(key, {
      kind,
      peerId,
      ...(parentPeerId === undefined ? {} : { parentPeerId }),
      ...(guildId === undefined ? {} : { guildId }),
      ...(teamId === undefined ? {} : { teamId }),
      roles,
    });
    return { key, route, accountId };
  };

  /** Hands one message to the pipeline, with the plugin's own way to answer. */
  const receive = async (
    context: MsgContext,
    port: (entry: ChannelEntry) => ReplyPort,
  ): Promise<Reception> => {
    const entry = ownEntry(channelIn(context));
    const channel = entry.plugin.id;
    // A thread's key is that of its conversation and its id.
    const sessionKey = (nameIn(context['SessionKey']) ?? '').replace(/:thread:.*$/u, '');
    const message = readContext(context, channel, facts.get(sessionKey));
    const account = core.accounts.find(channel, message.accountId);
    if (account === undefined) throw channelForeign(pluginId, channel);
    return await core.inbound.receive(account, message, port(entry));
  };

  const dispatch = async (params: unknown): Promise<Members> => {
    const { ctx, dispatcherOptions, replyOptions } = isRecord(params) ? params : {};
    const options = isRecord(dispatcherOptions) ? dispatcherOptions : {};
    const typing = isRecord(options['typingCallbacks']) ? options['typingCallbacks'] : {};
    const counts = { tool: 0, block: 0, final: 0 };
    const reception = await receive(isRecord(ctx) ? ctx : {}, (entry) =>
      replyPort(entry, {
        deliver: functionIn(options, 'deliver'),
        onError: functionIn(options, 'onError'),
        onStart: [functionIn(options, 'onReplyStart'), functionIn(typing, 'onReplyStart')],
        onAdopted: adoptionOf(replyOptions),
        prefix: typeof options['responsePrefix'] === 'string' ? options['responsePrefix'] : '',
        sent: () => void (counts.final += 1),
      }),
    ).finally(() => {
      for (const end of [
        functionIn(typing, 'onIdle'),
        functionIn(typing, 'onCleanup'),
        functionIn(options, 'onIdle'),
        functionIn(options, 'onCleanup'),
      ])
        void end?.();
    });
    return { queuedFinal: counts.final > 0, counts, reception };
  };

  const runInbound = async (params: unknown): Promise<Members> => {
    const { raw, adapter, turnAdoptionLifecycle } = isRecord(params) ? params : {};
    const own = isRecord(adapter) ? adapter : {};
    const drop = (reason: string): Members => ({ admission: { kind: 'drop', reason }, dispatched: false });
    const input: unknown = await functionIn(own, 'ingest')?.(raw);
    if (!isRecord(input)) return drop('ingest-null');
    const eventClass: unknown = (await functionIn(own, 'classify')?.(input)) ?? {
      kind: 'message',
      canStartAgentTurn: true,
    };
    if (isRecord(eventClass) && eventClass['canStartAgentTurn'] === false) return drop('event');
    const preflight: unknown = await functionIn(own, 'preflight')?.(input, eventClass);
    if (isRecord(preflight) && (preflight['kind'] === 'drop' || preflight['kind'] === 'handled'))
      return { admission: preflight, dispatched: false };
    const turn: unknown = await functionIn(own, 'resolveTurn')?.(input, eventClass, preflight ?? {});
    const result = await runTurn({
      ...(isRecord(turn) ? turn : {}),
      ...(turnAdoptionLifecycle === undefined ? {} : { turnAdoptionLifecycle }),
    });
    await functionIn(own, 'onFinalize')?.(result);
    return result;
  };

  /** A turn that a plugin has put together: its context, and how its answer is delivered. */
  const runTurn = async (turn: Members): Promise<Members> => {
    const { ctxPayload, delivery, dispatcherOptions, replyOptions, turnAdoptionLifecycle } = turn;
    const runDispatch = functionIn(turn, 'runDispatch');
    const given = isRecord(delivery) ? delivery : {};
    const deliver = functionIn(given, 'deliver') ?? functionIn(given, 'deliverWithProviderMessageSending');
    const dispatchResult: unknown =
      runDispatch === undefined
        ? await dispatch({
            ctx: ctxPayload,
            dispatcherOptions: {
              ...(isRecord(dispatcherOptions) ? dispatcherOptions : {}),
              deliver,
              onError: functionIn(given, 'onError'),
            },
            replyOptions: {
              ...(isRecord(replyOptions) ? replyOptions : {}),
              ...(turnAdoptionLifecycle === undefined ? {} : { turnAdoptionLifecycle }),
            },
          })
        : await runDispatch();
    return {
      admission: { kind: 'dispatch' },
      dispatched: true,
      ctxPayload,
      routeSessionKey:
        turn['routeSessionKey'] ?? (isRecord(turn['route']) ? turn['route']['sessionKey'] : undefined),
      dispatchResult,
    };
  };

  const routing = {
    buildAgentSessionKey: (params: Members) => keyFor(params).key,
    resolveAgentRoute(params: Members) {
      const { key, route, accountId } = keyFor(params);
      const mainSessionKey = `agent:${route.agentId}:main`;
      return {
        agentId: route.agentId,
        channel: nameIn(params['channel'])?.toLowerCase() ?? '',
        accountId,
        sessionKey: key,
        mainSessionKey,
        lastRoutePolicy: key === mainSessionKey ? 'main' : 'session',
        matchedBy: matchedBy[route.matchedBy],
      };
    },
  };

  const inbound = {
    run: runInbound,
    runPreparedReply: runTurn,
    dispatch: runTurn,
    dispatchReply: runTurn,
    buildContext: buildContext,
  };

  return {
    text: textMembers(),
    reply: {
      dispatchReplyWithBufferedBlockDispatcher: dispatch,
      dispatchReplyFromConfig: dispatch,
      finalizeInboundContext: finalizeContext,
      formatAgentEnvelope: ({ channel, from, body }: Members) =>
        `[${[channel, from].filter((each) => typeof each === 'string').join(' ')}] ${textOf(body)}`,
      resolveEnvelopeFormatOptions: () => ({}),
      resolveEffectiveMessagesConfig: () => ({ messagePrefix: '' }),
      resolveHumanDelayConfig: () => undefined,
    },
    routing,
    pairing: pairingMembers(deps, ownEntry),
    media: {
      saveMediaBuffer: (
        buffer: unknown,
        type?: unknown,
        _subdir?: unknown,
        maxBytes?: unknown,
        name?: unknown,
      ) => saveMedia(deps.media, { buffer, type, maxBytes, name }),
    },
    activity: {
      record({ channel, accountId, direction, at }: Members) {
        const key = JSON.stringify([channel, accountId ?? 'default']);
        const known = activity.get(key) ?? { inboundAt: null, outboundAt: null };
        known[direction === 'outbound' ? 'outboundAt' : 'inboundAt'] =
          typeof at === 'number' ? at : deps.now();
        activity.set(key, known);
        const entry = deps.entryOf(nameIn(channel) ?? '');
        if (entry !== undefined)
          core.accounts.note(
            entry.plugin.id,
            nameIn(accountId) ?? 'default',
            direction === 'outbound' ? 'outbound' : 'inbound',
          );
      },
      get: ({ channel, accountId }: Members) =>
        activity.get(JSON.stringify([channel, accountId ?? 'default'])) ?? {
          inboundAt: null,
          outboundAt: null,
        },
    },
    session: {
      // Sessions are the host's: a message is kept once it is handed to the pipeline.
      resolveStorePath: () => join(deps.stateDir, 'sessions.json'),
      readSessionUpdatedAt: () => undefined,
      recordSessionMetaFromInbound: () => Promise.resolve(null),
      recordInboundSession: () => Promise.resolve(),
      updateLastRoute: () => Promise.resolve(null),
    },
    mentions: mentionMembers(deps),
    groups: groupMembers(),
    debounce: {
      createInboundDebouncer: (params: unknown) => createDebouncer(params, deps.after),
      resolveInboundDebounceMs: ({ overrideMs }: Members) =>
        typeof overrideMs === 'number' ? overrideMs : 0,
    },
    commands: {
      resolveCommandAuthorizedFromAuthorizers: ({ authorizers }: Members) =>
        Array.isArray(authorizers) &&
        authorizers.some((each) => isRecord(each) && each['configured'] === true && each['allowed'] === true),
      isControlCommandMessage: () => false,
      shouldComputeCommandAuthorized: () => false,
      shouldHandleTextCommands: () => false,
    },
    outbound: {
      loadAdapter: (id: unknown) => Promise.resolve(deps.entryOf(nameIn(id) ?? '')?.plugin.outbound),
    },
    inbound,
    turn: inbound,
  };
}

const matchedBy: Readonly<Record<AgentRoute['matchedBy'], string>> = {
  peer: 'binding.peer',
  'parent peer': 'binding.peer.parent',
  roles: 'binding.guild+roles',
  guild: 'binding.guild',
  team: 'binding.team',
  account: 'binding.account',
  channel: 'binding.channel',
  default: 'default',
};

/** What is no text says nothing. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

function functionIn(value: Members, key: string): AnyFunction | undefined {
  const found = value[key];
  return typeof found === 'function' ? (...args) => Reflect.apply(found, value, args) as unknown : undefined;
}

function adoptionOf(replyOptions: unknown): AnyFunction | undefined {
  const lifecycle = isRecord(replyOptions) ? replyOptions['turnAdoptionLifecycle'] : undefined;
  return isRecord(lifecycle) ? functionIn(lifecycle, 'onAdopted') : undefined;
}

interface PluginReply {
  readonly deliver: AnyFunction | undefined;
  readonly onError: AnyFunction | undefined;
  readonly onStart: readonly (AnyFunction | undefined)[];
  readonly onAdopted: AnyFunction | undefined;
  readonly prefix: string;
  readonly sent: () => void;
}

function replyPort(
  { call, plugin: { id } }: ChannelEntry,
  { deliver, onError, onStart, onAdopted, prefix, sent }: PluginReply,
): ReplyPort {
  const starts = onStart.filter((start) => start !== undefined);
  const showTyping = (): void => {
    for (const start of starts)
      void Promise.resolve()
        .then(() => call(`onReplyStart of the channel ${id}`, () => start()))
        // That an answer is being written is not worth a failure.
        .catch(() => undefined);
  };
  return {
    async deliver(text, kind) {
      const payload = { text: prefix === '' || kind === 'notice' ? text : `${prefix} ${text}` };
      try {
        if (deliver === undefined) throw new TypeError('dispatcherOptions.deliver is no function');
        await call(`deliver of the channel ${id}`, () => deliver(payload, { kind: 'final' }));
        sent();
      } catch (error) {
        void onError?.(error, { kind: 'final' });
        throw error;
      }
    },
    typing: starts.length === 0 ? undefined : showTyping,
    async adopted() {
      await call(`onAdopted of the channel ${id}`, () => onAdopted?.());
    },
  };
}

function textMembers(): Members {
  const split = (text: unknown, limit: unknown): readonly string[] =>
    chunkReply(textOf(text), typeof limit === 'number' ? limit : defaultChunk);
  return {
    chunkText: split,
    chunkTextWithMode: split,
    chunkMarkdownText: split,
    chunkMarkdownTextWithMode: split,
    chunkByNewline: split,
    resolveChunkMode: () => 'length',
    resolveTextChunkLimit(cfg: unknown, channel: unknown, accountId: unknown, options: unknown) {
      const section = accountSection(
        isRecord(cfg) ? cfg : {},
        nameIn(channel) ?? '',
        nameIn(accountId) ?? 'default',
      );
      const { textChunkLimit } = section;
      if (typeof textChunkLimit === 'number' && textChunkLimit > 0) return textChunkLimit;
      const fallback = isRecord(options) ? options['fallbackLimit'] : undefined;
      return typeof fallback === 'number' && fallback > 0 ? fallback : defaultChunk;
    },
    // Commands of the chat are not answered here: whatever begins with a slash is a message.
    hasControlCommand: () => false,
    resolveMarkdownTableMode: () => 'off',
    convertMarkdownTables: (text: unknown) => textOf(text),
  };
}

function pairingMembers(deps: ChannelRuntimeDeps, ownEntry: (channel: unknown) => ChannelEntry): Members {
  const { pairing } = deps.core;
  const account = (params: Members): string => nameIn(params['accountId']) ?? 'default';
  const allowed = async (channel: string, accountId: string): Promise<string[]> =>
    (await pairing.paired())
      .filter((each) => each.channel === channel && each.accountId === accountId)
      .map(({ senderId }) => senderId);
  return {
    buildPairingReply: ({ code }: Members) => pairingText(String(code)),
    readAllowFromStore: (params: Members) => allowed(ownEntry(params['channel']).plugin.id, account(params)),
    async removeAllowFromStoreEntry(params: Members) {
      const channel = ownEntry(params['channel']).plugin.id;
      const entry = nameIn(params['entry']) ?? '';
      const before = await allowed(channel, account(params));
      if (before.includes(entry)) await pairing.unpair(channel, entry, account(params));
      return { changed: before.includes(entry), allowFrom: await allowed(channel, account(params)) };
    },
    async upsertPairingRequest(params: Members) {
      const channel = ownEntry(params['channel']).plugin.id;
      const senderId = nameIn(params['id']);
      const meta = isRecord(params['meta']) ? params['meta'] : {};
      const senderName = nameIn(meta['name'] ?? meta['username'] ?? meta['firstName']);
      const asked =
        senderId === undefined
          ? undefined
          : await pairing.request({
              channel,
              accountId: account(params),
              senderId,
              ...(senderName === undefined ? {} : { senderName }),
            });
      // Upstream's answer where too many wait.
      if (asked === undefined) return { code: '', created: false };
      if (asked.created) deps.pairingRequested(asked.request);
      return { code: asked.request.code, created: asked.created };
    },
  };
}

function mentionMembers(deps: ChannelRuntimeDeps): Members {
  const regexes = (value: unknown): readonly RegExp[] =>
    Array.isArray(value) ? value.filter((each): each is RegExp => each instanceof RegExp) : [];
  return {
    buildMentionRegexes: (cfg: unknown, agentId?: unknown) => [
      ...mentionPatterns(isRecord(cfg) ? cfg : {}, deps.namesOf(nameIn(agentId) ?? deps.mainAgent())),
    ],
    matchesMentionPatterns: (text: unknown, patterns: unknown) => mentions(textOf(text), regexes(patterns)),
    matchesMentionWithExplicit({ text, mentionRegexes, explicit }: Members) {
      const said = isRecord(explicit) ? explicit : {};
      return said['isExplicitlyMentioned'] === true || mentions(textOf(text), regexes(mentionRegexes));
    },
    implicitMentionKindWhen: (kind: unknown, enabled: unknown) => (enabled === true ? [kind] : []),
    resolveInboundMentionDecision(params: Members) {
      const said = {
        ...params,
        ...(isRecord(params['facts']) ? params['facts'] : {}),
        ...(isRecord(params['policy']) ? params['policy'] : {}),
      };
      const kinds = Array.isArray(said['implicitMentionKinds']) ? said['implicitMentionKinds'] : [];
      const allowed = said['allowedImplicitMentionKinds'];
      const matched = kinds.filter((each) => !Array.isArray(allowed) || allowed.includes(each));
      const was = said['wasMentioned'] === true || matched.length > 0;
      const shouldSkip =
        said['isGroup'] === true &&
        said['requireMention'] === true &&
        said['canDetectMention'] === true &&
        !was;
      return {
        effectiveWasMentioned: was,
        shouldSkip,
        implicitMention: matched.length > 0,
        matchedImplicitMentionKinds: matched,
        shouldBypassMention: false,
      };
    },
  };
}

function groupMembers(): Members {
  const configOf = ({ cfg, channel, accountId, groupId }: Members) => {
    const section = accountSection(
      isRecord(cfg) ? cfg : {},
      nameIn(channel) ?? '',
      nameIn(accountId) ?? 'default',
    );
    const groups = (isRecord(section['groups']) ? section['groups'] : {}) as AccessConfig['groups'];
    return { section, groups, own: groupOf(groups, nameIn(groupId) ?? '') };
  };
  return {
    resolveGroupPolicy(params: Members) {
      const { section, groups, own } = configOf(params);
      const policy = section['groupPolicy'] ?? 'allowlist';
      return {
        allowlistEnabled: policy === 'allowlist',
        allowed: policy === 'open' || (policy === 'allowlist' && own !== undefined),
        groupConfig: own,
        defaultConfig: groups['*'],
      };
    },
    resolveRequireMention(params: Members) {
      const said = configOf(params).own?.requireMention ?? params['requireMentionOverride'];
      return typeof said === 'boolean' ? said : true;
    },
  };
}

/** Upstream's `buildChannelInboundEventContext`: facts in groups become the flat context that turns are begun with. */
function buildContext(params: Members): Record<string, unknown> {
  const part = (key: string): Members => (isRecord(params[key]) ? params[key] : {});
  const [sender, conversation, route, reply, message] = [
    'sender',
    'conversation',
    'route',
    'reply',
    'message',
  ].map(part);
  const media = Array.isArray(params['media']) ? params['media'].filter(isRecord) : [];
  const mentionFacts = isRecord(part('access')['mentions']) ? part('access')['mentions'] : {};
  const extra = part('extra');
  return finalizeContext({
    ...extra,
    Provider: params['provider'] ?? params['channel'],
    Surface: params['surface'] ?? params['channel'],
    OriginatingChannel: params['channel'],
    OriginatingTo: reply?.['originatingTo'] ?? reply?.['to'],
    To: reply?.['to'],
    From: params['from'],
    AccountId: params['accountId'] ?? route?.['accountId'],
    SessionKey: route?.['dispatchSessionKey'] ?? route?.['routeSessionKey'],
    MessageSid: params['messageId'],
    MessageSidFull: params['messageIdFull'],
    Timestamp: params['timestamp'],
    SenderId: sender?.['id'],
    SenderName: sender?.['name'] ?? sender?.['displayLabel'],
    SenderUsername: sender?.['username'],
    MemberRoleIds: sender?.['roles'],
    ChatType: conversation?.['kind'],
    ConversationLabel: conversation?.['label'],
    GroupSpace: conversation?.['spaceId'],
    MessageThreadId: reply?.['messageThreadId'],
    ReplyToId: reply?.['replyToId'],
    Body: message?.['body'] ?? message?.['rawBody'],
    RawBody: message?.['rawBody'],
    BodyForAgent: message?.['bodyForAgent'],
    CommandBody: message?.['commandBody'],
    WasMentioned: isRecord(mentionFacts) ? mentionFacts['wasMentioned'] : undefined,
    MediaPaths: media.map((each) => each['path']),
    MediaTypes: media.map((each) => each['contentType'] ?? each['type']),
  });
}
