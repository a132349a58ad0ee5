import type {
  ChannelPairingHookContext,
  DispatchHookContext,
  InboundClaimHookContext,
  MessageHookContext,
  ReplyDispatchHookContext,
} from './hookContexts.ts';
import type { Claim, Modify, Observe } from './hookShape.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Hooks of messages that come in and go out. */
export interface MessageHooks {
  inbound_claim: Claim<InboundClaimEvent, InboundClaimHookContext, InboundClaimResult, InboundClaimOutcome>;
  message_received: Observe<MessageReceivedEvent, MessageHookContext>;
  before_dispatch: Claim<
    BeforeDispatchEvent,
    DispatchHookContext,
    BeforeDispatchResult,
    BeforeDispatchOutcome
  >;
  reply_dispatch: Claim<
    ReplyDispatchEvent,
    ReplyDispatchHookContext,
    ReplyDispatchResult,
    ReplyDispatchResult & { readonly pluginId: string }
  >;
  reply_payload_sending: Modify<
    ReplyPayloadSendingEvent,
    MessageHookContext,
    ReplyPayloadSendingResult,
    ReplyPayloadSendingOutcome
  >;
  channel_pairing_requested: Observe<ChannelPairingEvent, ChannelPairingHookContext>;
  message_sending: Modify<
    MessageSendingEvent,
    MessageHookContext,
    MessageSendingResult,
    MessageSendingOutcome
  >;
  message_sent: Observe<MessageSentEvent, MessageHookContext>;
}

interface InboundClaimEvent {
  readonly content: string;
  readonly body?: string;
  readonly channel: string;
  readonly senderId?: string;
  readonly isGroup: boolean;
  readonly timestamp?: number;
  readonly metadata?: Metadata;
}

interface InboundClaimResult {
  readonly handled: boolean;
  readonly reply?: unknown;
}

export interface InboundClaimOutcome {
  readonly pluginId: string;
  readonly reply?: unknown;
}

interface MessageReceivedEvent {
  readonly from: string;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly timestamp?: number;
  readonly threadId?: string;
  readonly messageId?: string;
  readonly senderId?: string;
  readonly sessionKey?: string;
  readonly runId?: string;
  readonly metadata?: Metadata;
}

interface BeforeDispatchEvent {
  readonly content: string;
  readonly body?: string;
  readonly channel?: string;
  readonly sessionKey?: string;
  readonly senderId?: string;
  readonly isGroup?: boolean;
  readonly timestamp?: number;
}

interface BeforeDispatchResult {
  readonly handled: boolean;
  readonly text?: string;
}

export interface BeforeDispatchOutcome {
  readonly pluginId: string;
  readonly text?: string;
}

interface ReplyDispatchEvent {
  readonly ctx: unknown;
  readonly runId?: string;
  readonly sessionKey?: string;
  readonly images?: readonly { readonly data: string; readonly mimeType: string }[];
  readonly inboundAudio: boolean;
  readonly sendPolicy: 'allow' | 'deny';
  readonly shouldRouteToOriginating: boolean;
  readonly shouldSendToolSummaries: boolean;
  readonly shouldSendFullToolDetails: boolean;
}

export interface ReplyDispatchResult {
  readonly handled: boolean;
  readonly queuedFinal?: boolean;
  readonly counts?: Readonly<Record<string, number>>;
}

/** What is about to be delivered; here it is text, elsewhere it may be media. */
interface ReplyPayload {
  readonly text?: string;
  readonly [field: string]: unknown;
}

export interface ReplyPayloadSendingEvent {
  readonly payload: ReplyPayload;
  /** `block`: an answer that goes on with tool calls. */
  readonly kind: 'tool' | 'block' | 'final';
  readonly channel?: string;
  readonly sessionKey?: string;
  readonly runId?: string;
}

interface ReplyPayloadSendingResult {
  /** Takes the payload's place. */
  readonly payload?: ReplyPayload;
  /** `true` stops the delivery; `false` is no decision. */
  readonly cancel?: boolean;
  readonly reason?: string;
}

export interface ReplyPayloadSendingOutcome {
  readonly payload: ReplyPayload;
  readonly cancel?: { readonly pluginId: string; readonly reason?: string };
}

interface ChannelPairingEvent {
  readonly channel: string;
  readonly accountId?: string;
  readonly senderId: string;
  /** What the sender shows, and the operator approves. */
  readonly code: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface MessageSendingEvent {
  readonly to: string;
  readonly content: string;
  /** The message of the user that is answered: its entry in the transcript. */
  readonly replyToId?: string;
  readonly threadId?: string;
  readonly metadata?: Metadata;
}

interface MessageSendingResult {
  readonly content?: string;
  /** `true` stops the delivery; `false` is no decision. */
  readonly cancel?: boolean;
  readonly cancelReason?: string;
  readonly metadata?: Metadata;
}

export interface MessageSendingOutcome {
  readonly content: string;
  readonly cancel?: { readonly pluginId: string; readonly reason?: string };
  readonly metadata?: Metadata;
}

interface MessageSentEvent {
  readonly to: string;
  readonly content: string;
  /** `false`: a plugin cancelled the delivery, and `content` is what is shown in its place. */
  readonly success: boolean;
  /** Its entry in the transcript. */
  readonly messageId?: string;
  readonly error?: string;
  /** What handlers of `message_sending` made of it. */
  readonly metadata?: Metadata;
}
