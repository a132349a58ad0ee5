import type { RemoteAnswer } from '../agent/remoteTurn.ts';
import { errorMessage } from '../base/errors.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { MessageHookContext } from '../hooks/payloads/hookContexts.ts';
import type { Cfg } from './channelPlugin.ts';
import type { InboundMessage } from './createMessageJournal.ts';
import type { ReplyPort } from './sendReply.ts';

// What plugins hear and decide of one message of a channel, in the order in which they are asked.

/** `inbound_claim`: the text of the plugin that took the message; empty for none, undefined where nobody did. */
export async function claimInbound(
  hooks: HookRunner,
  message: InboundMessage,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!hooks.has('inbound_claim')) return undefined;
  const { channel, accountId, peerId, messageId, senderId, text, kind, timestamp, parentPeerId } = message;
  const event = {
    content: text,
    body: text,
    channel,
    senderId,
    isGroup: kind !== 'direct',
    ...(timestamp === undefined ? {} : { timestamp }),
    metadata: metadataOf(message),
  };
  const context = {
    channelId: channel,
    accountId,
    conversationId: peerId,
    messageId,
    senderId,
    ...(parentPeerId === undefined ? {} : { parentConversationId: parentPeerId }),
  };
  const claimed = await hooks.claim('inbound_claim', event, context, signal);
  return claimed === undefined ? undefined : replyText(claimed.reply);
}

/** `message_received`: a message was let in. */
export function tellReceived(hooks: HookRunner, message: InboundMessage, context: MessageHookContext): void {
  if (!hooks.has('message_received')) return;
  const { senderId, text, timestamp, threadId, messageId } = message;
  const event = {
    from: senderId,
    content: text,
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(threadId === undefined ? {} : { threadId }),
    messageId,
    senderId,
    ...(context.sessionKey === undefined ? {} : { sessionKey: context.sessionKey }),
    metadata: metadataOf(message),
  };
  void hooks.observe('message_received', event, context);
}

/** `before_dispatch`: the text of the plugin that took over a message that was let in; as `claimInbound`. */
export async function claimDispatch(
  hooks: HookRunner,
  message: InboundMessage,
  { sessionKey }: MessageHookContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!hooks.has('before_dispatch')) return undefined;
  const { channel, accountId, peerId, senderId, text, kind, timestamp } = message;
  const ofSession = sessionKey === undefined ? {} : { sessionKey };
  const event = {
    content: text,
    body: text,
    channel,
    ...ofSession,
    senderId,
    isGroup: kind !== 'direct',
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  const context = { channelId: channel, accountId, conversationId: peerId, ...ofSession, senderId };
  const claimed = await hooks.claim('before_dispatch', event, context, signal);
  return claimed === undefined ? undefined : (claimed.text ?? '');
}

interface ClaimedReply {
  readonly message: InboundMessage;
  readonly context: MessageHookContext;
  readonly reply: Pick<ReplyPort, 'deliver'>;
  readonly text: string;
  readonly runId: string;
  readonly cfg: () => Cfg;
  /** Told of what did not go out, or was not asked to its end. */
  readonly failed: (level: 'warn' | 'error', text: string) => void;
}

/** `reply_dispatch`: a plugin may send the answer itself, by the dispatcher or by its own means. Never rejects. */
export async function claimReply(
  hooks: HookRunner,
  { message, context, reply, text, runId, cfg, failed }: ClaimedReply,
  signal: AbortSignal,
): Promise<boolean> {
  if (!hooks.has('reply_dispatch')) return false;
  const counts = { tool: 0, block: 0, final: 0 };
  const send = (kind: keyof typeof counts) => (payload: unknown) => {
    const said = replyText(payload);
    if (said === '') return false;
    counts[kind] += 1;
    void reply
      .deliver(said, 'final')
      .catch((error: unknown) =>
        failed('error', `what a plugin sent did not go out: ${errorMessage(error)}`),
      );
    return true;
  };
  const event = {
    ctx: { Body: message.text, SenderId: message.senderId, Provider: message.channel, ReplyText: text },
    runId,
    ...(context.sessionKey === undefined ? {} : { sessionKey: context.sessionKey }),
    inboundAudio: false,
    sendPolicy: 'allow' as const,
    shouldRouteToOriginating: false,
    shouldSendToolSummaries: false,
    shouldSendFullToolDetails: false,
  };
  // Frozen: the next plugin that is asked gets the same.
  const dispatcher = Object.freeze({
    sendToolResult: send('tool'),
    sendBlockReply: send('block'),
    sendFinalReply: send('final'),
    getQueuedCounts: () => ({ ...counts }),
    waitForIdle: () => Promise.resolve(),
    markComplete: () => undefined,
  });
  const nothing = (): undefined => undefined;
  try {
    const claimed = await hooks.claim(
      'reply_dispatch',
      event,
      { cfg: cfg(), dispatcher, recordProcessed: nothing, markIdle: nothing },
      signal,
    );
    return claimed !== undefined;
  } catch (error) {
    failed('warn', `reply_dispatch ended early: ${errorMessage(error)}`);
    return false;
  }
}

/** `message_sent`: whether the answer went out. */
export function tellSent(
  hooks: HookRunner,
  { to }: InboundMessage,
  context: MessageHookContext,
  { text, entryId, metadata }: RemoteAnswer,
  { success, error }: { readonly success: boolean; readonly error: string | undefined },
): void {
  if (!hooks.has('message_sent')) return;
  const event = {
    to,
    content: text,
    success,
    ...(entryId === undefined ? {} : { messageId: entryId }),
    ...(error === undefined ? {} : { error }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  void hooks.observe('message_sent', event, context);
}

/** What hooks of a message that was let in get as their context. Pure. */
export function contextOf(message: InboundMessage, sessionKey: string): MessageHookContext {
  const { channel, accountId, peerId, messageId, senderId } = message;
  return { channelId: channel, accountId, conversationId: peerId, sessionKey, messageId, senderId };
}

function metadataOf(message: InboundMessage): Readonly<Record<string, unknown>> {
  const { channel, to, senderName, guildId, teamId, media, threadId } = message;
  return {
    provider: channel,
    surface: channel,
    originatingChannel: channel,
    originatingTo: to,
    ...(senderName === undefined ? {} : { senderName }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(guildId === undefined ? {} : { guildId }),
    ...(teamId === undefined ? {} : { teamId }),
    ...(media.length === 0 ? {} : { mediaTypes: media.map(({ type }) => type) }),
  };
}

/** Upstream's reply payload is a text or an object with one; anything else means silence. */
function replyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  if (typeof reply !== 'object' || reply === null || !('text' in reply)) return '';
  return typeof reply.text === 'string' ? reply.text : '';
}
