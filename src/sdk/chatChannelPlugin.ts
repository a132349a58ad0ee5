import { createScopedDmSecurityResolver, type ScopedDmParams } from './channelSecurity.ts';
import { createTextPairingAdapter, type TextPairingParams } from './channelPairing.ts';
import { createAttachedChannelResultAdapter, type AttachedSends } from './channelOutbound.ts';
import type { ChannelPlugin } from './types/listedTypes.ts';
import type { ChannelFields } from './types/channelTypes.ts';

/** How lists name a channel. */
export interface ChannelMeta {
  readonly id: string;
  readonly label: string;
  readonly selectionLabel: string;
  readonly docsPath: string;
  readonly blurb: string;
  readonly [more: string]: unknown;
}

/** Names of channels that upstream's packages don't bring themselves. */
const chatChannels: Readonly<Record<string, string>> = {
  buzz: 'Buzz',
  clickclack: 'ClickClack',
  discord: 'Discord',
  feishu: 'Feishu',
  googlechat: 'Google Chat',
  imessage: 'iMessage',
  irc: 'IRC',
  line: 'LINE',
  matrix: 'Matrix',
  mattermost: 'Mattermost',
  msteams: 'Microsoft Teams',
  'nextcloud-talk': 'Nextcloud Talk',
  nostr: 'Nostr',
  raft: 'Raft',
  signal: 'Signal',
  slack: 'Slack',
  sms: 'SMS',
  'synology-chat': 'Synology Chat',
  telegram: 'Telegram',
  tlon: 'Tlon',
  twitch: 'Twitch',
  whatsapp: 'WhatsApp',
  zalo: 'Zalo',
  zalouser: 'Zalo (personal)',
};

/** How a known channel is named. @throws Error naming one that is not known */
export function getChatChannelMeta(id: string): ChannelMeta {
  const label = Object.hasOwn(chatChannels, id) ? chatChannels[id] : undefined;
  if (label === undefined) throw new Error(`There is no chat channel ${id}: give its meta with the plugin.`);
  return {
    id,
    label,
    selectionLabel: label,
    docsPath: `/channels/${id}`,
    blurb: `Messages of ${label}.`,
  };
}

/** The parts that every channel has. */
export function createChannelPluginBase<T extends { readonly id: string; readonly meta?: ChannelFields }>(
  params: T,
): T & { readonly meta: ChannelFields } {
  const { id, meta } = params;
  const known = Object.hasOwn(chatChannels, id) ? getChatChannelMeta(id) : {};
  const given = Object.entries<unknown>(params).filter(([, value]) => value !== undefined && value !== null);
  return { ...(Object.fromEntries(given) as T), id, meta: { ...known, ...meta, id } };
}

type Resolver = (params: ChannelFields) => unknown;

export interface ChatChannelParams {
  readonly base: ChannelPlugin;
  /** An adapter, or how direct messages are let in (`dm`). */
  readonly security?: ChannelFields | (ChannelFields & { readonly dm: ScopedDmParams });
  /** An adapter, or the text that is sent who was let in. */
  readonly pairing?: ChannelFields | { readonly text: TextPairingParams };
  /** An adapter, or how the reply mode is found. */
  readonly threading?: ChannelFields;
  /** An adapter, or its base and functions whose results get the channel's id. */
  readonly outbound?:
    ChannelFields | { readonly base: ChannelFields; readonly attachedResults: AttachedSends };
}

/** A channel from its parts; each may be given as an adapter or in a short form. */
export function createChatChannelPlugin(params: ChatChannelParams): ChannelPlugin {
  const { base, security, pairing, threading, outbound } = params;
  return {
    ...base,
    capabilities: base['capabilities'] ?? { chatTypes: ['direct'] },
    conversationBindings: {
      supportsCurrentConversationBinding: true,
      ...(base['conversationBindings'] as ChannelFields | undefined),
    },
    ...(security === undefined ? {} : { security: securityOf(security) }),
    ...(pairing === undefined ? {} : { pairing: pairingOf(pairing) }),
    ...(threading === undefined ? {} : { threading: threadingOf(threading) }),
    ...(outbound === undefined ? {} : { outbound: outboundOf(outbound) }),
  };
}

/** The target without the channel's prefix, such as `telegram:`. */
export function stripChannelTargetPrefix(raw: string, ...channels: readonly string[]): string {
  const text = raw.trim();
  const prefix = channels
    .map((channel) => `${channel.trim().toLowerCase()}:`)
    .find((each) => text.toLowerCase().startsWith(each));
  return prefix === undefined ? text : text.slice(prefix.length).trim();
}

/** The target without its kind, such as `group:`. */
export function stripTargetKindPrefix(raw: string): string {
  return raw.replace(/^(?:user|channel|group|conversation|room|dm):/iu, '').trim();
}

/** A reply mode that is always the same. */
export function createStaticReplyToModeResolver<T>(mode: T): () => T {
  return () => mode;
}

/** The reply mode of an account; `off` where it has none. */
export function createScopedAccountReplyToModeResolver(params: {
  readonly resolveAccount: (cfg: unknown, accountId?: unknown) => unknown;
  readonly resolveReplyToMode: (account: unknown, chatType?: unknown) => unknown;
  readonly fallback?: unknown;
}): Resolver {
  return ({ cfg, accountId, chatType }) =>
    params.resolveReplyToMode(params.resolveAccount(cfg, accountId), chatType) ?? params.fallback ?? 'off';
}

/** The reply mode of the channel's own settings; `off` where they have none. */
export function createTopLevelChannelReplyToModeResolver(channel: string): Resolver {
  return ({ cfg }) => {
    const channels = (cfg as ChannelFields | undefined)?.['channels'] as
      Record<string, ChannelFields> | undefined;
    return channels?.[channel]?.['replyToMode'] ?? 'off';
  };
}

function securityOf(security: ChannelFields): ChannelFields {
  const { dm, ...rest } = security;
  if (dm === undefined) return security;
  return { ...rest, resolveDmPolicy: createScopedDmSecurityResolver(dm as ScopedDmParams) };
}

function pairingOf(pairing: ChannelFields): ChannelFields {
  const text = pairing['text'];
  return text === undefined ? pairing : { ...createTextPairingAdapter(text as TextPairingParams) };
}

function threadingOf(threading: ChannelFields): ChannelFields {
  const { topLevelReplyToMode: channel, scopedAccountReplyToMode: scoped } = threading;
  if (typeof channel === 'string') {
    return { ...threading, resolveReplyToMode: createTopLevelChannelReplyToModeResolver(channel) };
  }
  if (scoped === undefined) return threading;
  const params = scoped as Parameters<typeof createScopedAccountReplyToModeResolver>[0];
  return { ...threading, resolveReplyToMode: createScopedAccountReplyToModeResolver(params) };
}

function outboundOf(outbound: ChannelFields): ChannelFields {
  const { attachedResults, base } = outbound;
  if (attachedResults === undefined) return outbound;
  return {
    ...(base as ChannelFields),
    ...createAttachedChannelResultAdapter(attachedResults as AttachedSends),
  };
}
