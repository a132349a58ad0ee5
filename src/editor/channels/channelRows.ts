import type { AccountView, ChannelView, ConversationView, PairingRequest } from '../../channels/channels.ts';

/** Somebody who waits to be let in; the argument of its commands. */
export interface PairingRow {
  readonly kind: 'pairing';
  readonly code: string;
  readonly request: PairingRequest;
  /** As people know it. */
  readonly channel: string;
}

export interface ChannelRow {
  readonly kind: 'channel';
  readonly channelId: string;
  readonly channel: ChannelView;
  /** Of the one account that it has: its commands are the channel's. */
  readonly accountId?: string;
  readonly children: readonly (AccountRow | ConversationRow)[];
}

/** One of several accounts of a channel. */
export interface AccountRow {
  readonly kind: 'account';
  readonly channelId: string;
  readonly accountId: string;
  readonly account: AccountView;
}

export interface ConversationRow {
  readonly kind: 'conversation';
  readonly conversationId: string;
  readonly conversation: ConversationView;
}

export type ChannelsRow = PairingRow | ChannelRow | AccountRow | ConversationRow;

interface ChannelsSnapshot {
  readonly channels: readonly ChannelView[];
  readonly pairings: readonly PairingRequest[];
  readonly conversations: readonly ConversationView[];
}

/** Conversations that a channel shows; the commands find all. */
const shownConversations = 50;

/** Who waits first, then channels, with what is on before what is off. Pure. */
export function planChannelRows({
  channels,
  pairings,
  conversations,
}: ChannelsSnapshot): readonly ChannelsRow[] {
  const labels = new Map(channels.map(({ id, label }) => [id, label]));
  return [
    ...pairings.map((request): PairingRow => ({
      kind: 'pairing',
      code: request.code,
      request,
      channel: labels.get(request.channel) ?? request.channel,
    })),
    ...[...channels, ...unknownChannels(channels, conversations)]
      .map((channel) => toChannelRow(channel, conversations))
      .toSorted((a, b) => Number(a.channel.state === 'off') - Number(b.channel.state === 'off')),
  ];
}

/** Of channels whose plugin is gone: their conversations can still be read. */
function unknownChannels(
  channels: readonly ChannelView[],
  conversations: readonly ConversationView[],
): readonly ChannelView[] {
  const known = new Set(channels.map(({ id }) => id));
  const missing = new Set(conversations.map(({ channel }) => channel).filter((id) => !known.has(id)));
  return [...missing].map((id) => ({ id, label: id, pluginId: undefined, state: 'off', accounts: [] }));
}

function toChannelRow(channel: ChannelView, conversations: readonly ConversationView[]): ChannelRow {
  const { id: channelId, accounts } = channel;
  const [first, second] = accounts;
  const own = conversations.filter((each) => each.channel === channelId).slice(0, shownConversations);
  return {
    ...{ kind: 'channel', channelId, channel },
    ...(first !== undefined && second === undefined ? { accountId: first.id } : {}),
    children: [
      ...(second === undefined
        ? []
        : accounts.map((account): AccountRow => ({
            kind: 'account',
            channelId,
            accountId: account.id,
            account,
          }))),
      ...own.map((conversation): ConversationRow => ({
        kind: 'conversation',
        conversationId: conversation.id,
        conversation,
      })),
    ],
  };
}

/** Tells a row from its siblings. Pure. */
export function channelRowKey(row: ChannelsRow): string {
  switch (row.kind) {
    case 'pairing':
      return `pairing ${row.code}`;
    case 'channel':
      return `channel ${row.channelId}`;
    case 'account':
      return `account ${row.accountId}`;
    case 'conversation':
      return row.conversationId;
  }
}
