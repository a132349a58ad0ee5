// Threat: a context names a session, a channel or a sender that is not its plugin's to name. So what it says is read as plain text, the
// session is worked out from the peer, and channel and account are checked by who runs them.
import { createHash } from 'node:crypto';
import { isRecord } from '../../base/json.ts';
import { truncate } from '../../base/text.ts';
import { messageInvalid } from '../channelErrors.ts';
import type { InboundMessage } from '../createMessageJournal.ts';

/** Upstream's `MsgContext`, as far as it is read here. */
export type MsgContext = Readonly<Record<string, unknown>>;

/** What a plugin said of a conversation when it asked for its route. */
export interface RouteFacts {
  readonly kind: 'direct' | 'group' | 'channel';
  readonly peerId: string;
  readonly parentPeerId?: string;
  readonly guildId?: string;
  readonly teamId?: string;
  readonly roles?: readonly string[];
}

const longest = 200;
/** Of what a message answers: enough to know which one that is. */
const longestReply = 1_000;

/** A text that names something, and no more; undefined for anything else. Half a character names nothing: in UTF-8 all of those are one. */
export function nameIn(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  return trimmed === '' || trimmed.length > longest || /[\u0000-\u001f\u007f\p{Cs}]/u.test(trimmed)
    ? undefined
    : trimmed;
}

/**
 * The id of somebody or something, letter for letter; undefined for what is none. Threat: on some channels anybody picks an id, and one with a
 * space before it would pass for the id of somebody else.
 */
export function idIn(value: unknown): string | undefined {
  return nameIn(value) === undefined ? undefined : String(value);
}

/** What is no text says nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function firstName(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const found = nameIn(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstText(...values: readonly unknown[]): string {
  return values.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
}

/** The channel that a context says it is of. Pure. */
export function channelIn(context: MsgContext): string | undefined {
  return firstName(context['OriginatingChannel'], context['Provider'], context['Surface'])?.toLowerCase();
}

/**
 * What kind of conversation a word names; undefined where there is none. Threat: a room that is taken for a direct conversation has what
 * only the user alone may be told and asked. So a word that is not known is a group. Pure.
 */
export function kindOf(value: unknown): RouteFacts['kind'] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (['direct', 'dm', 'private'].includes(word)) return 'direct';
  return word === 'channel' || word === 'thread' ? 'channel' : 'group';
}

/** An address without what upstream's channels put in front of it: `telegram:group:-7` is `-7`. Pure. */
function bareAddress(channel: string, address: string): string {
  const own = address.toLowerCase().startsWith(`${channel}:`) ? address.slice(channel.length + 1) : address;
  return own.replace(/^(?:direct|dm|user|group|channel|chat|thread):/iu, '');
}

/**
 * A message from the context that a plugin made of it. `facts` are what it said when it asked for the route.
 * @throws PincerError `channel_message_invalid`
 */
export function readContext(
  context: MsgContext,
  channel: string,
  facts: RouteFacts | undefined,
): InboundMessage {
  const kind = facts?.kind ?? kindOf(context['ChatType']) ?? 'direct';
  const from = idIn(context['From']);
  // One that can't be an id is not replaced by another: that may be somebody else's.
  const said = [context['SenderId'], context['SenderE164']].find(
    (each) => each !== undefined && each !== null && each !== '',
  );
  const senderId = idIn(
    said ?? (kind === 'direct' && from !== undefined ? bareAddress(channel, from) : undefined),
  );
  if (senderId === undefined) throw messageInvalid('it has no sender');
  // Letter for letter, as the sender's id: what is sent there later would reach somebody else.
  const to = [context['OriginatingTo'], kind === 'direct' ? from : context['To'], from, context['To']]
    .map(idIn)
    .find((each) => each !== undefined);
  const place = kind === 'direct' ? senderId : bareAddress(channel, from ?? to ?? '');
  const peerId = facts?.peerId ?? idIn(place);
  if (peerId === undefined || to === undefined) throw messageInvalid('it has no conversation');
  const text = firstText(
    context['RawBody'],
    context['CommandBody'],
    context['BodyForAgent'],
    context['Body'],
  );
  const media = mediaIn(context);
  if (text === '' && media.length === 0) throw messageInvalid('it is empty');
  const timestamp = typeof context['Timestamp'] === 'number' ? context['Timestamp'] : undefined;
  const messageId = firstName(context['MessageSidFull'], context['MessageSid']);
  const senderName = firstName(context['SenderName'], context['SenderUsername'], context['SenderTag']);
  const threadId = nameIn(context['MessageThreadId']);
  const label = firstName(context['ConversationLabel'], context['GroupSubject'], context['GroupChannel']);
  const roles = facts?.roles ?? namesIn(context['MemberRoleIds']);
  return {
    channel,
    accountId: firstName(context['AccountId']) ?? 'default',
    kind,
    peerId,
    to,
    messageId: messageId ?? `none-${hashOf([senderId, timestamp ?? crypto.randomUUID(), text])}`,
    senderId,
    title: (kind === 'direct' ? (senderName ?? label) : label) ?? peerId,
    text,
    media,
    ...(senderName === undefined ? {} : { senderName }),
    ...(threadId === undefined ? {} : { threadId }),
    ...optionalName('parentPeerId', facts?.parentPeerId),
    ...optionalName('guildId', facts?.guildId ?? context['GroupSpace']),
    ...optionalName('teamId', facts?.teamId),
    ...(roles.length === 0 ? {} : { roles: [...roles] }),
    ...(typeof context['WasMentioned'] === 'boolean' ? { wasMentioned: context['WasMentioned'] } : {}),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...originOf(context),
  };
}

/** What of a message somebody else has written. */
function originOf(context: MsgContext): Pick<InboundMessage, 'forwardedFrom' | 'replyTo'> {
  const from = context['ForwardedFrom'];
  const isForwarded = from !== undefined && from !== null && from !== '';
  const reply = textOf(context['ReplyToBody']).trim();
  const sender = nameIn(context['ReplyToSender']);
  return {
    // Whoever it is from: it is not the sender's own.
    ...(isForwarded ? { forwardedFrom: nameIn(from) ?? 'somebody' } : {}),
    ...(reply === ''
      ? {}
      : { replyTo: { text: truncate(reply, longestReply), ...(sender === undefined ? {} : { sender }) } }),
  };
}

function optionalName<K extends string>(key: K, value: unknown): Partial<Readonly<Record<K, string>>> {
  const name = nameIn(value);
  return name === undefined ? {} : ({ [key]: name } as Readonly<Record<K, string>>);
}

export function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, 100).flatMap((each) => nameIn(each) ?? []) : [];
}

function mediaIn(context: MsgContext): InboundMessage['media'] {
  const types = list(context['MediaTypes'], context['MediaType']);
  const paths = list(context['MediaPaths'], context['MediaPath']);
  const urls = list(context['MediaUrls'], context['MediaUrl']);
  const count = Math.max(paths.length, urls.length);
  return Array.from({ length: Math.min(count, 8) }, (_, at) => {
    const path = paths[at];
    return { type: nameIn(types[at] ?? types[0]) ?? 'file', ...(path === undefined ? {} : { path }) };
  });
}

function list(many: unknown, one: unknown): readonly string[] {
  const all = Array.isArray(many) && many.length > 0 ? many : [one];
  return all.filter((each): each is string => typeof each === 'string' && each !== '' && each.length < 4_096);
}

function hashOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 24);
}

/**
 * Upstream's `finalizeInboundContext`: the same context with the texts that others read filled in. The object itself is completed, as
 * upstream's is.
 */
export function finalizeContext(given: unknown): Record<string, unknown> {
  const context = isRecord(given) ? given : {};
  const body = firstText(context['Body'], context['RawBody'], context['CommandBody']);
  const raw = firstText(context['RawBody'], context['CommandBody'], context['Body']);
  context['Body'] = body;
  context['RawBody'] ??= raw;
  context['BodyForAgent'] ??= firstText(context['BodyForAgent'], body);
  context['BodyForCommands'] ??= firstText(context['CommandBody'], raw);
  context['CommandBody'] ??= raw;
  context['BodyStripped'] ??= raw;
  context['ChatType'] = kindOf(context['ChatType']) ?? 'direct';
  context['ConversationLabel'] ??= firstName(context['GroupSubject'], context['SenderName'], context['From']);
  context['CommandAuthorized'] = context['CommandAuthorized'] === true;
  return context;
}

/** Upstream's `buildChannelInboundEventContext`: facts in groups become the flat context that turns are begun with. */
export function buildContext(params: MsgContext): Record<string, unknown> {
  const part = (key: string): MsgContext => (isRecord(params[key]) ? params[key] : {});
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
