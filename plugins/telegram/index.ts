// Threat: a message of Telegram is written by anybody who knows the bot's name. Nothing of it is trusted here: who may write, what a turn
// may do and how much is the host's to decide; this only brings messages, keeps the token out of texts, and sends answers.
import { defineChannelPluginEntry, type OpenClawPluginApi } from 'openclaw/plugin-sdk';
import {
  groupOf,
  listAccountIds,
  problemOf,
  resolveAccount,
  resolveDefaultAccountId,
  type TelegramAccount,
} from './account.ts';
import { chunkLimit, sendMedia, sendText, sendTyping, type Target } from './deliver.ts';
import { createOffsetFile } from './offsetFile.ts';
import { poll } from './poll.ts';
import { readUpdate } from './readUpdate.ts';
import { receive, type ChannelRuntime } from './receive.ts';
import { createTelegramApi, TelegramError, waitFor, type TelegramApi } from './telegramApi.ts';

type Config = Readonly<Record<string, unknown>>;

/** What `startAccount` gets, as far as it is used. */
export interface StartContext {
  readonly cfg: Config;
  readonly accountId: string;
  readonly account: TelegramAccount;
  readonly abortSignal: AbortSignal;
  readonly log?: { info?(text: string): void; warn?(text: string): void };
  readonly channelRuntime?: unknown;
  getStatus(): Config;
  setStatus(next: Config): void;
}

interface SendContext extends Target {
  readonly cfg: Config;
  readonly accountId?: string | null;
  readonly text: string;
  readonly mediaUrl?: string;
  readonly mediaLocalRoots?: readonly string[];
}

/** The channel. @param stateDir where the offsets are kept */
export function createTelegramChannel(stateDir: () => string) {
  const running = new Map<string, { readonly token: string; readonly api: TelegramApi }>();
  const apiFor = (cfg: Config, accountId: string | null | undefined) => {
    const account = resolveAccount(cfg, accountId);
    const problem = problemOf(account);
    if (problem !== undefined) throw new TelegramError(0, problem);
    const known = running.get(account.accountId);
    return { account, api: known?.token === account.token ? known.api : createTelegramApi(account) };
  };

  async function startAccount(context: StartContext): Promise<void> {
    const { cfg, account, abortSignal: signal, log, channelRuntime } = context;
    const problem = problemOf(account);
    if (problem !== undefined) throw new TelegramError(0, problem);
    if (channelRuntime === undefined) throw new TelegramError(0, 'The host has no channel runtime.');
    const api = createTelegramApi(account);
    const status = (more: Config): void => context.setStatus({ ...context.getStatus(), ...more });
    const warn = (text: string): void => {
      log?.warn?.(text);
      status({ lastError: text });
    };
    running.set(account.accountId, { token: account.token, api });
    try {
      await poll({
        api,
        offset: createOffsetFile(stateDir(), account.accountId, account.token),
        pollSeconds: account.pollSeconds,
        signal,
        wait: waitFor,
        ready: ({ username }) => {
          log?.info?.(`listens as @${username}`);
          status({ connected: true, lifecycle: 'ready', lastConnectedAt: Date.now(), lastError: null });
        },
        problem: warn,
        heard() {
          const { lastError } = context.getStatus();
          if (lastError !== undefined && lastError !== null) status({ lastError: null });
        },
        async takeOver(update, bot) {
          const message = readUpdate(update, bot);
          const runtime = channelRuntime as ChannelRuntime;
          if (message === undefined) return;
          try {
            await receive({ cfg, account, api, runtime, signal, warn }, message);
          } catch (error) {
            // It would be refused again and again, and hold all others up.
            if ((error as { readonly code?: unknown }).code !== 'channel_message_invalid') throw error;
            warn('a message was left out that the host can not read');
          }
        },
      });
    } finally {
      running.delete(account.accountId);
    }
  }

  return {
    id: 'telegram',
    meta: {
      id: 'telegram',
      label: 'Telegram',
      selectionLabel: 'Telegram (bot)',
      docsPath: '/channels/telegram',
      blurb: 'Chats and groups by a bot of your own.',
    },
    capabilities: { chatTypes: ['direct', 'group', 'thread'], media: true, threads: true, reply: true },
    config: {
      listAccountIds,
      resolveAccount,
      defaultAccountId: resolveDefaultAccountId,
      isEnabled: ({ enabled }: TelegramAccount) => enabled,
      isConfigured: (account: TelegramAccount) => problemOf(account) === undefined,
      unconfiguredReason: problemOf,
      resolveAllowFrom: ({ cfg, accountId }: { readonly cfg: Config; readonly accountId?: string | null }) =>
        resolveAccount(cfg, accountId).allowFrom.map(String),
      describeAccount: (account: TelegramAccount) => ({
        accountId: account.accountId,
        name: account.name,
        enabled: account.enabled,
        configured: problemOf(account) === undefined,
      }),
    },
    security: {
      resolveDmPolicy: ({ account }: { readonly account: TelegramAccount }) => ({
        policy: account.dmPolicy ?? 'pairing',
        allowFrom: account.allowFrom,
        allowFromPath: 'channels.telegram.allowFrom',
        policyPath: 'channels.telegram.dmPolicy',
        approveHint: 'pincer channels pair <code>',
      }),
    },
    pairing: {
      idLabel: 'Telegram user id',
      normalizeAllowEntry: (entry: string) => entry.trim().replace(/^(?:telegram|tg):/iu, ''),
      async notifyApproval({ cfg, id, accountId }: { cfg: Config; id: string; accountId?: string }) {
        const { api } = apiFor(cfg, accountId);
        await sendText(api, { to: id }, 'You have access now. Ask away.');
      },
    },
    groups: {
      // Without a word of the user a group has to name the bot.
      resolveRequireMention: ({ cfg, accountId, groupId }: GroupContext) =>
        groupOf(cfg, accountId, groupId)?.['requireMention'] !== false,
      resolveToolPolicy: ({ cfg, accountId, groupId }: GroupContext) =>
        groupOf(cfg, accountId, groupId)?.['tools'],
    },
    messaging: {
      normalizeTarget: (raw: string) => raw.trim().replace(/^(?:telegram|tg):/iu, ''),
    },
    heartbeat: {
      async sendTyping({ cfg, accountId, ...target }: SendContext) {
        await sendTyping(apiFor(cfg, accountId).api, target);
      },
    },
    outbound: {
      deliveryMode: 'direct',
      textChunkLimit: chunkLimit,
      async sendText({ cfg, accountId, text, ...target }: SendContext) {
        return { channel: 'telegram', ...(await sendText(apiFor(cfg, accountId).api, target, text)) };
      },
      async sendMedia({ cfg, accountId, text, mediaUrl = '', mediaLocalRoots, ...target }: SendContext) {
        const { api, account } = apiFor(cfg, accountId);
        const maxBytes = account.maxMediaBytes;
        return {
          channel: 'telegram',
          ...(await sendMedia(api, target, { text, mediaUrl, mediaLocalRoots, maxBytes })),
        };
      },
    },
    gateway: { startAccount },
  };
}

interface GroupContext {
  readonly cfg: Config;
  readonly accountId?: string | null;
  readonly groupId?: string | null;
}

export default {
  id: 'telegram',
  register(api: OpenClawPluginApi): void {
    const plugin = createTelegramChannel(() => api.runtime.state.resolveStateDir());
    defineChannelPluginEntry({
      id: 'telegram',
      name: 'Telegram',
      description: 'Telegram by a bot',
      plugin,
    }).register(api);
  },
};
