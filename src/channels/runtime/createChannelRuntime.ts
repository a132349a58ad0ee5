import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { setBounded } from '../../base/setBounded.ts';
import { buildSessionKey, peerChatId } from '../../sessions/sessionKey.ts';
import type { AgentRoute, RouteMessage } from '../../agents/resolveRoute.ts';
import { channelForeign } from '../channelErrors.ts';
import type { ChannelEntry } from '../channelPlugin.ts';
import { accountSection } from '../channelPolicy.ts';
import type { ChannelCore } from '../createChannels.ts';
import { chunkReply, defaultChunk } from '../chunkReply.ts';
import type { PairingRequest } from '../channels.ts';
import { groupMembers, mentionMembers, pairingMembers } from './accessMembers.ts';
import { createChannelDispatch } from './createChannelDispatch.ts';
import { saveMedia, type MediaPorts } from './saveMedia.ts';
import {
  buildContext,
  finalizeContext,
  kindOf,
  idIn,
  nameIn,
  namesIn,
  textOf,
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
    setBounded(facts, key, said, maxFacts);
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
    const peerId = idIn(peer['id']);
    const accountId = nameIn(params['accountId']) ?? 'default';
    const guildId = nameIn(params['guildId']);
    const teamId = nameIn(params['teamId']);
    const parentPeerId = idIn(parent['id']);
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

  const { dispatch, runInbound, runTurn } = createChannelDispatch({
    ...{ pluginId, core, ownEntry },
    factsOf: (sessionKey) => facts.get(sessionKey),
  });
  const inbound = {
    run: runInbound,
    ...{ runPreparedReply: runTurn, dispatch: runTurn, dispatchReply: runTurn },
    buildContext,
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
    pairing: pairingMembers({ pairing: core.pairing, ownEntry, pairingRequested: deps.pairingRequested }),
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

interface Pending {
  readonly items: unknown[];
  readonly cancel: () => void;
  readonly flushed: Promise<void>;
  readonly flush: () => void;
}

/** Messages of one key that wait for each other. Threat: who writes without a pause fills the memory, before any limit of messages counts. */
const maxDebounced = 20;

/** Upstream's `createInboundDebouncer`: messages of one key that come close together are handed on together. */
function createDebouncer(
  given: unknown,
  after: (ms: number, call: () => void) => () => void,
): Readonly<Record<string, unknown>> {
  const params = isRecord(given) ? given : {};
  const call = (name: string, ...args: readonly unknown[]): unknown => {
    const found = params[name];
    return typeof found === 'function' ? (Reflect.apply(found, params, args) as unknown) : undefined;
  };
  const pending = new Map<string, Pending>();
  const handOn = async (items: unknown[]): Promise<void> => {
    try {
      // Newer plugins get a function that says when the messages were taken; here that is once they were handed on.
      await call('onFlush', items, ({ dispatch }: { readonly dispatch: (lifecycle: object) => unknown }) =>
        dispatch({ onAdmitted: () => undefined }),
      );
    } catch (error) {
      call('onError', error, items);
    }
  };
  const waitOf = (item: unknown): number => {
    const own = call('resolveDebounceMs', item);
    const ms = typeof own === 'number' ? own : params['debounceMs'];
    return typeof ms === 'number' && ms > 0 ? Math.min(ms, 10_000) : 0;
  };
  const keyOf = (item: unknown): string | undefined => {
    const key = call('buildKey', item);
    return typeof key === 'string' ? key : undefined;
  };
  const shouldBuffer = (item: unknown): boolean =>
    waitOf(item) > 0 && keyOf(item) !== undefined && call('shouldDebounce', item) !== false;
  const flushKey = async (key: string): Promise<void> => {
    const waiting = pending.get(key);
    waiting?.flush();
    await waiting?.flushed;
  };
  return {
    shouldBuffer,
    async enqueue(item: unknown) {
      const key = keyOf(item);
      if (key === undefined || !shouldBuffer(item)) {
        if (key !== undefined) await flushKey(key);
        await handOn([item]);
        return;
      }
      const waiting = pending.get(key);
      waiting?.cancel();
      const items = [...(waiting?.items ?? []), item];
      if (waiting !== undefined) pending.delete(key);
      let resolve: () => void = () => undefined;
      const flushed = new Promise<void>((done) => {
        resolve = done;
      });
      const flush = (): void => {
        if (pending.get(key)?.items !== items) return;
        pending.get(key)?.cancel();
        pending.delete(key);
        void handOn(items).then(resolve);
      };
      pending.set(key, { items, cancel: after(waitOf(item), flush), flushed, flush });
      if (items.length >= maxDebounced) flush();
    },
    flushKey,
    cancelKey(key: string) {
      pending.get(key)?.cancel();
      return pending.delete(key);
    },
    async drain() {
      await Promise.all([...pending.keys()].map(flushKey));
    },
  };
}
