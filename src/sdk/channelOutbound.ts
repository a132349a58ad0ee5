import { isRecord } from './textHelpers.ts';
import type { ChannelFields } from './types/channelTypes.ts';

type Send = (context: never) => Promise<ChannelFields>;

/** Functions that send, and the channel whose id their results get. */
export interface AttachedSends {
  readonly channel: string;
  readonly sendText?: Send;
  readonly sendMedia?: Send;
  readonly sendPoll?: Send;
}

/** A result with the channel that it came by. */
export function attachChannelToResult<T extends object>(
  channel: string,
  result: T,
): T & { readonly channel: string } {
  return { ...result, channel };
}

/** The same of a list. */
export function attachChannelToResults<T extends object>(
  channel: string,
  results: readonly T[],
): (T & { readonly channel: string })[] {
  return results.map((result) => attachChannelToResult(channel, result));
}

/** The sending functions of an `outbound` adapter. */
export function createAttachedChannelResultAdapter(
  sends: AttachedSends,
): Readonly<Record<'sendText' | 'sendMedia' | 'sendPoll', Send | undefined>> {
  const attached = (send: Send | undefined): Send | undefined =>
    send === undefined
      ? undefined
      : async (context) => attachChannelToResult(sends.channel, await send(context));
  return {
    sendText: attached(sends.sendText),
    sendMedia: attached(sends.sendMedia),
    sendPoll: attached(sends.sendPoll),
  };
}

interface Delegate<R> {
  readonly resolve: (runtime: R) => ((context: unknown) => unknown) | null | undefined;
  readonly unavailableMessage?: string;
}

type DelegateOrPick<R> = Delegate<R> | Delegate<R>['resolve'];

type Delegates<R, K extends string> = { readonly getRuntime: () => R | Promise<R> } & Readonly<
  Partial<Record<K, DelegateOrPick<R>>>
>;

/** Adapters whose code is fetched with the first call. */
export function createRuntimeOutboundDelegates<R>(
  params: Delegates<R, 'renderPresentation' | 'sendPayload' | 'sendText' | 'sendMedia' | 'sendPoll'>,
): ChannelFields {
  return delegatesOf(params, ['renderPresentation', 'sendPayload', 'sendText', 'sendMedia', 'sendPoll']);
}

/** The same for looking up people and groups. */
export function createRuntimeDirectoryLiveAdapter<R>(
  params: Delegates<R, 'self' | 'listPeersLive' | 'listGroupsLive' | 'listGroupMembers'>,
): ChannelFields {
  return delegatesOf(params, ['self', 'listPeersLive', 'listGroupsLive', 'listGroupMembers']);
}

function delegatesOf<R, K extends string>(params: Delegates<R, K>, names: readonly K[]): ChannelFields {
  const made = names.flatMap((name): [string, unknown][] => {
    const given = params[name];
    if (given === undefined) return [];
    const { resolve, unavailableMessage } =
      typeof given === 'function' ? { resolve: given, unavailableMessage: undefined } : given;
    const call = async (context: unknown): Promise<unknown> => {
      const method = resolve(await params.getRuntime());
      if (typeof method !== 'function') throw new Error(unavailableMessage ?? `${name} is not there.`);
      return await method(context);
    };
    return [[name, call]];
  });
  return Object.fromEntries(made);
}

/** Who is known to a channel; `self` is nobody unless it is given. */
export function createChannelDirectoryAdapter(params: ChannelFields = {}): ChannelFields {
  return { self: () => Promise.resolve(null), ...params };
}

/** A channel that knows nobody. */
export function createEmptyChannelDirectoryAdapter(): ChannelFields {
  const none = (): Promise<readonly never[]> => Promise.resolve([]);
  return createChannelDirectoryAdapter({ listPeers: none, listGroups: none });
}

export type MessageKind = 'text' | 'media' | 'voice' | 'poll' | 'card' | 'unknown';

export interface MessageReceipt {
  readonly primaryPlatformMessageId?: string;
  readonly platformMessageIds: readonly string[];
  readonly parts: readonly ChannelFields[];
  readonly threadId?: string;
  readonly replyToId?: string;
  readonly sentAt: number;
  readonly raw: readonly unknown[];
}

/** What was sent, from the results of sending it in parts. */
export function createMessageReceiptFromOutboundResults(params: {
  readonly results: readonly ChannelFields[];
  readonly kind?: MessageKind;
  readonly threadId?: string | number | null;
  readonly replyToId?: string | null;
  readonly sentAt?: number;
}): MessageReceipt {
  const { results, kind = 'unknown', replyToId, sentAt = Date.now() } = params;
  const threadId = textOf(params.threadId);
  const more = {
    ...(threadId === undefined ? {} : { threadId }),
    ...(replyToId === undefined || replyToId === null ? {} : { replyToId }),
  };
  const sent = results.filter(({ outcome }) => outcome !== 'not_sent');
  const parts = sent.flatMap((result, index) =>
    idsOf(result).map((platformMessageId) => ({ platformMessageId, kind, index, ...more })),
  );
  const ids = [...new Set(parts.map(({ platformMessageId }) => platformMessageId))];
  return {
    ...(ids[0] === undefined ? {} : { primaryPlatformMessageId: ids[0] }),
    platformMessageIds: ids,
    parts,
    ...more,
    sentAt,
    raw: results,
  };
}

/** The `message` adapter of a channel; without a `receive` of its own it acknowledges what it likes, when it likes. */
export function defineChannelMessageAdapter<T extends object>(adapter: T): T & { readonly receive: object } {
  const { receive } = adapter as { readonly receive?: object };
  return { ...adapter, receive: receive ?? { defaultAckPolicy: 'manual', supportedAckPolicies: ['manual'] } };
}

/** The same from an `outbound` adapter. */
export function createChannelMessageAdapterFromOutbound(params: {
  readonly id?: string;
  readonly outbound: ChannelFields;
  readonly capabilities?: ChannelFields;
  readonly live?: object;
  readonly receive?: object;
}): ChannelFields {
  const { id, outbound, live, receive } = params;
  const kinds = [
    ['text', outbound['sendText']],
    ['media', outbound['sendMedia']],
    ['payload', outbound['sendPayload']],
    ['poll', outbound['sendPoll']],
  ] as const;
  const send = kinds.flatMap(([kind, method]): [string, unknown][] =>
    typeof method === 'function' ? [[kind, sendOf(kind, method as SendLike)]] : [],
  );
  const delivery = outbound['deliveryCapabilities'];
  return defineChannelMessageAdapter({
    ...(id === undefined ? {} : { id }),
    durableFinal: {
      capabilities: params.capabilities ?? (isRecord(delivery) ? delivery['durableFinal'] : undefined),
    },
    send: Object.fromEntries(send),
    ...(live === undefined ? {} : { live }),
    ...(receive === undefined ? {} : { receive }),
  });
}

type SendLike = (context: ChannelFields) => Promise<ChannelFields>;

function sendOf(kind: 'text' | 'media' | 'payload' | 'poll', method: SendLike): SendLike {
  return async (context: ChannelFields): Promise<ChannelFields> => {
    const result = await method(context);
    const receipt = createMessageReceiptFromOutboundResults({
      results: [result],
      kind: kind === 'payload' ? 'unknown' : kind,
      threadId: (context['threadId'] ?? null) as string | null,
      replyToId: (context['replyToId'] ?? null) as string | null,
    });
    return { messageId: receipt.primaryPlatformMessageId, receipt };
  };
}

function idsOf(result: ChannelFields): readonly string[] {
  const receipt = result['receipt'];
  const ids = isRecord(receipt) ? receipt['platformMessageIds'] : undefined;
  if (Array.isArray(ids)) return ids.filter((id): id is string => typeof id === 'string');
  const id = ['messageId', 'chatId', 'channelId', 'conversationId']
    .map((key) => textOf(result[key]))
    .find((each) => each !== undefined);
  return id === undefined ? [] : [id];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
