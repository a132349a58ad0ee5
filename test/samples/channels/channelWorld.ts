import { addModel } from '../agents/agentWorld.ts';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../builders/openTestRuntime.ts';

/** A message as its server would hand it over. */
export interface Sent {
  readonly id: string;
  readonly text: string;
  readonly from?: string;
  readonly name?: string;
  readonly group?: string;
  readonly thread?: string;
  /** The group that a topic belongs to. */
  readonly parent?: string;
  readonly mentioned?: boolean;
  readonly team?: string;
  readonly guild?: string;
  readonly roles?: readonly string[];
  readonly account?: string;
  /** Overrides what its plugin says of it. */
  readonly forged?: object;
}

/** What the channel sent, in order. */
export interface Delivered {
  readonly to: string;
  readonly text: string;
  readonly by: 'deliver' | 'sendText' | 'sendMedia';
  readonly media?: string;
  /** What the file held while it was sent. */
  readonly held?: string;
  readonly thread?: string;
}

/** The far end of the test's channel: what its server would do. */
export interface PostOffice {
  /** Starts of accounts. */
  readonly started: string[];
  readonly stopped: string[];
  readonly delivered: Delivered[];
  /** Ids of messages that were acknowledged. */
  readonly acknowledged: string[];
  /** Hands a message over; resolves once the plugin's handler is done. */
  receive: (message: Sent) => Promise<unknown>;
  /** Times that the handler of messages itself showed typing. */
  typing?: number;
  /** True where the handler leaves typing to the adapter. */
  typesByAdapter?: boolean;
  /** Where the adapter showed typing. */
  typed?: string[];
  typingFails?: boolean;
  /** The adapter's typing waits for it. */
  typingHangs?: Promise<void>;
  /** Thrown by the next delivery. */
  fails?: Error | undefined;
  /** Thrown by the next start of an account. */
  startFails?: Error | undefined;
}

/** A channel plugin as a third party writes it: upstream's adapters and `api.runtime.channel`, the server of its messages in memory. */
export const postPlugin = `
module.exports = (api) => {
  const post = globalThis.post;
  const rt = api.runtime.channel;
  const section = (cfg) => (cfg.channels || {}).post || {};
  const receive = async (message) => {
    const cfg = api.runtime.config.loadConfig();
    const { id, text, from = '42', name = 'Ann', group, thread, parent, mentioned, team, guild, roles, account = 'default', forged = {} } = message;
    const peer = group === undefined ? { kind: 'direct', id: from } : { kind: 'group', id: group };
    const route = rt.routing.resolveAgentRoute({
      cfg, channel: 'post', accountId: account, peer, teamId: team, guildId: guild, memberRoleIds: roles,
      ...(parent === undefined ? {} : { parentPeer: { kind: 'group', id: parent } }),
    });
    const to = 'post:' + (group ?? from);
    const ctx = rt.reply.finalizeInboundContext({
      Body: text, RawBody: text, CommandBody: text,
      From: group === undefined ? 'post:' + from : 'post:group:' + group,
      To: to, OriginatingTo: to, OriginatingChannel: 'post', Provider: 'post', Surface: 'post',
      SessionKey: route.sessionKey, AccountId: account, ChatType: peer.kind,
      SenderId: from, SenderName: name, GroupSubject: group,
      MessageSid: id, MessageThreadId: thread, WasMentioned: mentioned, Timestamp: Date.now(),
      ...forged,
    });
    const result = await rt.reply.dispatchReplyWithBufferedBlockDispatcher({
      ctx, cfg,
      dispatcherOptions: {
        deliver: async (payload) => {
          if (post.fails) { const error = post.fails; post.fails = undefined; throw error; }
          post.delivered.push({ to, text: payload.text, by: 'deliver', ...(thread ? { thread } : {}) });
        },
        ...(post.typesByAdapter ? {} : { onReplyStart: () => { post.typing = (post.typing ?? 0) + 1; } }),
      },
      replyOptions: { turnAdoptionLifecycle: { onAdopted: () => { post.acknowledged.push(id); } } },
    });
    return result;
  };
  api.registerChannel({
    plugin: {
      id: 'post',
      meta: { id: 'post', label: 'Post', selectionLabel: 'Post', docsPath: '/post', blurb: 'Letters' },
      capabilities: { chatTypes: ['direct', 'group'] },
      config: {
        listAccountIds: (cfg) => Object.keys(section(cfg).accounts ?? { default: {} }),
        resolveAccount: (cfg, accountId) => ({ accountId, ...section(cfg), ...((section(cfg).accounts ?? {})[accountId] ?? {}) }),
        isConfigured: (account) => typeof account.token === 'string',
        unconfiguredReason: () => 'channels.post.token is missing',
      },
      gateway: {
        startAccount: async (ctx) => {
          post.started.push(ctx.accountId + ' ' + ctx.account.token);
          if (post.startFails) throw post.startFails;
          post.receive = receive;
          await new Promise((resolve) => ctx.abortSignal.addEventListener('abort', resolve, { once: true }));
          post.stopped.push(ctx.accountId);
        },
      },
      outbound: {
        deliveryMode: 'direct',
        textChunkLimit: 300,
        sendText: async ({ to, text, threadId }) => {
          if (post.fails) { const error = post.fails; post.fails = undefined; throw error; }
          post.delivered.push({ to, text, by: 'sendText', ...(threadId ? { thread: String(threadId) } : {}) });
          return { channel: 'post', messageId: 'm' + post.delivered.length };
        },
        sendMedia: async ({ to, text, mediaUrl }) => {
          post.delivered.push({ to, text, by: 'sendMedia', media: mediaUrl, held: require('node:fs').readFileSync(mediaUrl, 'utf8') });
          return { channel: 'post', messageId: 'm' + post.delivered.length };
        },
      },
      heartbeat: {
        sendTyping: async ({ to }) => {
          (post.typed ??= []).push(to);
          if (post.typingFails) throw new Error('no typing here');
          await post.typingHangs;
        },
      },
      pairing: { idLabel: 'postId' },
    },
  });
};`;

export interface ChannelWorld extends TestRuntime {
  readonly post: PostOffice;
  /** Lets a sender in, and forgets what it was told. */
  readonly pair: (from: string, as?: 'sender' | 'owner') => Promise<void>;
}

/** The channel as the user's config has it. */
export const channelConfig = (more: object = {}): object => ({
  model: 'replay/post',
  channels: { post: { enabled: true, token: 'letter-box-key', ...more } },
});

/** A runtime whose user has the channel and has switched it on; it runs. */
export async function openChannelWorld(
  options: TestRuntimeOptions & { readonly hasModel?: readonly object[] } = {},
): Promise<ChannelWorld> {
  const post: PostOffice = {
    started: [],
    stopped: [],
    delivered: [],
    acknowledged: [],
    receive: () => Promise.reject(new Error('no account runs')),
  };
  Object.assign(globalThis, { post });
  const world = await openTestRuntime({
    config: channelConfig(),
    withoutRealBundled: true,
    ...options,
    global: { post: postPlugin, ...options.global },
  });
  // What an earlier runtime has left is answered as soon as the channel runs.
  if (options.hasModel !== undefined) addModel(world, 'post', options.hasModel);
  await world.runtime.channels.start();
  return Object.assign(world, {
    post,
    async pair(from: string, as: 'sender' | 'owner' = 'sender') {
      await post.receive({ id: `hello-${from}`, text: 'Hello?', from });
      const request = (await world.runtime.channels.pairings()).find(({ senderId }) => senderId === from);
      await world.runtime.channels.approve(request?.code ?? '', as);
      post.delivered.length = 0;
    },
  });
}
