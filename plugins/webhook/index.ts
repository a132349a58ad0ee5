import { defineChannelPluginEntry, type OpenClawPluginApi } from 'openclaw/plugin-sdk';
import {
  listAccountIds,
  problemOf,
  resolveAccount,
  resolveDefaultAccountId,
  type WebhookAccount,
} from './account.ts';
import { callOut, type OutboundCall } from './callOut.ts';
import { createInboundHandler, type LiveAccount, type WebhookMessage } from './serveInbound.ts';
import { createVerifier } from './signature.ts';

type Config = Readonly<Record<string, unknown>>;

/** What of the host's `runtime.channel` is used. */
interface ChannelRuntime {
  readonly routing: { resolveAgentRoute(params: Config): { readonly sessionKey: string } };
  readonly reply: {
    finalizeInboundContext(context: Record<string, unknown>): Config;
    dispatchReplyWithBufferedBlockDispatcher(params: Config): Promise<unknown>;
  };
}

/** What `startAccount` gets, as far as it is used. */
export interface StartContext {
  readonly cfg: Config;
  readonly account: WebhookAccount;
  readonly abortSignal: AbortSignal;
  readonly log?: { info?(text: string): void; warn?(text: string): void };
  readonly channelRuntime?: unknown;
  getStatus(): Config;
  setStatus(next: Config): void;
}

interface SendContext extends OutboundCall {
  readonly cfg: Config;
  readonly accountId?: string | null;
}

/** The channel, and what serves its requests. */
export function createWebhookChannel(now: () => number = Date.now) {
  const accounts = new Map<string, LiveAccount>();

  async function startAccount(context: StartContext): Promise<void> {
    const { cfg, account, abortSignal: signal, log, channelRuntime } = context;
    const problem = problemOf(account);
    if (problem !== undefined) throw new Error(problem);
    if (channelRuntime === undefined) throw new Error('The host has no channel runtime.');
    const warn = (text: string): void => log?.warn?.(text);
    const runtime = channelRuntime as ChannelRuntime;
    accounts.set(account.accountId, {
      account,
      verify: createVerifier(account.secret, now),
      takeOver: (message) => takeOver({ cfg, account, runtime, signal, warn, now }, message),
      warn,
    });
    log?.info?.(`is served at /webhook/${account.accountId} while the gateway runs`);
    context.setStatus({ ...context.getStatus(), lifecycle: 'ready', lastError: null });
    try {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      accounts.delete(account.accountId);
    }
  }

  const plugin = {
    id: 'webhook',
    meta: {
      id: 'webhook',
      label: 'Webhook',
      selectionLabel: 'Webhook (signed requests)',
      docsPath: '/channels/webhook',
      blurb: 'Signed requests in, signed calls out.',
    },
    capabilities: { chatTypes: ['direct', 'group', 'thread'], reply: true, threads: true },
    config: {
      listAccountIds,
      resolveAccount,
      defaultAccountId: resolveDefaultAccountId,
      isEnabled: ({ enabled }: WebhookAccount) => enabled,
      isConfigured: (account: WebhookAccount) => problemOf(account) === undefined,
      unconfiguredReason: problemOf,
      resolveAllowFrom: ({ cfg, accountId }: { readonly cfg: Config; readonly accountId?: string | null }) =>
        resolveAccount(cfg, accountId).allowFrom.map(String),
    },
    security: {
      resolveDmPolicy: ({ account }: { readonly account: WebhookAccount }) => ({
        policy: account.dmPolicy ?? 'pairing',
        allowFrom: account.allowFrom,
        allowFromPath: 'channels.webhook.allowFrom',
        policyPath: 'channels.webhook.dmPolicy',
        approveHint: 'pincer channels pair <code>',
      }),
    },
    pairing: {
      idLabel: 'sender',
      async notifyApproval({ cfg, id, accountId }: { cfg: Config; id: string; accountId?: string }) {
        await callOut(
          resolveAccount(cfg, accountId),
          { to: id, text: 'You have access now. Ask away.' },
          now,
        );
      },
    },
    messaging: { normalizeTarget: (raw: string) => raw.trim().replace(/^webhook:/iu, '') },
    outbound: {
      deliveryMode: 'direct',
      textChunkLimit: 16_000,
      async sendText({ cfg, accountId, ...call }: SendContext) {
        return { channel: 'webhook', ...(await callOut(resolveAccount(cfg, accountId), call, now)) };
      },
    },
    gateway: { startAccount },
  };
  return { plugin, handle: createInboundHandler(accounts, now) };
}

interface TakeOverParts {
  readonly cfg: Config;
  readonly account: WebhookAccount;
  readonly runtime: ChannelRuntime;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
  readonly now: () => number;
}

/** Resolves once the host has the message, whose answer goes out by itself, or has dropped it. */
async function takeOver(
  { cfg, account, runtime, signal, warn, now }: TakeOverParts,
  message: WebhookMessage,
): Promise<'taken' | 'dropped'> {
  const { id, senderId, senderName, groupId, threadId, wasMentioned, text } = message;
  const { accountId } = account;
  const to = groupId ?? senderId;
  const peer = groupId === undefined ? { kind: 'direct', id: senderId } : { kind: 'group', id: groupId };
  const { sessionKey } = runtime.routing.resolveAgentRoute({ cfg, channel: 'webhook', accountId, peer });
  const context = {
    Body: text,
    RawBody: text,
    From: groupId === undefined ? `webhook:${senderId}` : `webhook:group:${groupId}`,
    To: `webhook:${to}`,
    SessionKey: sessionKey,
    AccountId: accountId,
    ChatType: peer.kind,
    SenderId: senderId,
    ...(senderName === undefined ? {} : { SenderName: senderName }),
    ...(groupId === undefined ? {} : { GroupSubject: groupId }),
    ...(threadId === undefined ? {} : { MessageThreadId: threadId }),
    MessageSid: id,
    WasMentioned: wasMentioned,
    Timestamp: now(),
    Provider: 'webhook',
    Surface: 'webhook',
    OriginatingChannel: 'webhook',
    OriginatingTo: `webhook:${to}`,
  };
  return await new Promise((resolve, reject) => {
    runtime.reply
      .dispatchReplyWithBufferedBlockDispatcher({
        ctx: runtime.reply.finalizeInboundContext(context),
        cfg,
        dispatcherOptions: {
          deliver: async (payload: { readonly text?: string }) => {
            if (payload.text === undefined || payload.text.trim() === '') return;
            await callOut(account, { to, text: payload.text, replyToId: id, threadId, signal }, now);
          },
          onError: (error: unknown) =>
            warn(`an answer could not be sent: ${error instanceof Error ? error.message : 'unknown error'}`),
        },
        replyOptions: { turnAdoptionLifecycle: { onAdopted: () => resolve('taken') } },
      })
      .then(
        // What ends with nothing said of its adoption was dropped before it was kept.
        (result) =>
          resolve(
            (result as { readonly reception?: unknown } | undefined)?.reception === 'dropped'
              ? 'dropped'
              : 'taken',
          ),
        reject,
      );
  });
}

export default {
  id: 'webhook',
  register(api: OpenClawPluginApi): void {
    const { plugin, handle } = createWebhookChannel();
    defineChannelPluginEntry({
      id: 'webhook',
      name: 'Webhook',
      description: 'Signed webhooks',
      plugin,
    }).register(api);
    // The signature is checked here; the gateway's token is for the user's own programs.
    api.registerHttpRoute({ path: '/webhook', match: 'prefix', auth: 'plugin', handler: handle });
  },
};
