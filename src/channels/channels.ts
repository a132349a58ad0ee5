import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';

/** How an account of a channel stands. */
export type AccountState =
  /** Switched off, or something is missing: `reason` says what. */
  | 'off'
  | 'starting'
  | 'running'
  /** It failed and is tried again; `reason` is why. */
  | 'waiting'
  /** It failed too often, or can't start; `reason` is why. */
  | 'failed'
  /** Another window or program serves the channels of this workspace. */
  | 'elsewhere';

export interface AccountView {
  readonly id: string;
  readonly state: AccountState;
  /** One sentence for people; undefined where there is nothing to say. */
  readonly reason?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly lastInboundAt?: number;
  readonly lastOutboundAt?: number;
  /** Starts since it last ran well. */
  readonly attempts: number;
}

/** A channel that a loaded plugin brings, or that the config names and nobody brings. */
export interface ChannelView {
  readonly id: string;
  /** As people know it: `Telegram`. */
  readonly label: string;
  /** Undefined where no loaded plugin has it. */
  readonly pluginId: string | undefined;
  /** The strongest of its accounts; `off` without any. */
  readonly state: AccountState;
  /** Why it is off as a whole, with what to do; undefined where it is on. */
  readonly reason?: string;
  readonly accounts: readonly AccountView[];
}

/** Somebody who wants to be let in. */
export interface PairingRequest {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
  /** As the sender calls itself: forgeable. */
  readonly senderName?: string | undefined;
  /** What the sender was shown; eight letters and digits. */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Somebody who was let in. An owner may have changes made, each allowed once by a person; others read and ask. */
export interface PairedSender {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
  readonly senderName?: string | undefined;
  readonly isOwner: boolean;
  readonly pairedAt: number;
}

/** A conversation with a sender or a group. */
export interface ConversationView {
  /** Stable; for `takeOver`, `mute`, `send` and `markRead`. */
  readonly id: string;
  readonly channel: string;
  readonly accountId: string;
  readonly kind: 'direct' | 'group' | 'channel';
  /** Of the sender or the group, as people read it. */
  readonly title: string;
  /** The session to read it in; undefined before the first turn. */
  readonly sessionId: string | undefined;
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
  /** The beginning of the last message, one inert line. */
  readonly lastText: string;
  /** Messages since it was last read. */
  readonly unread: number;
  /** True while a person answers in place of the agent. */
  readonly isTakenOver: boolean;
  /** True where nothing of it is answered or kept. */
  readonly isMuted: boolean;
}

export interface ChannelLogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly channel: string;
  readonly accountId: string;
  readonly level: 'info' | 'warn' | 'error';
  /** Never the text of a message. */
  readonly text: string;
}

/**
 * The message channels of a workspace, for front ends. `list` waits for nothing and tells what this process knows; the rest is read
 * from the disk, where all windows and programs of the workspace share it.
 */
export interface Channels extends Disposable {
  /** Any of what is told here may have changed in this process. */
  readonly onDidChange: Event<void>;
  /** A new sender waits; fires once for each request that this process received. */
  readonly onDidRequestPairing: Event<PairingRequest>;
  /** From now on enabled channels run here, unless another process has them. Whoever lets them run calls it once. */
  readonly start: () => Promise<void>;
  /** Resolves once no account runs here and no message is worked on. */
  readonly stop: () => Promise<void>;
  readonly list: () => readonly ChannelView[];
  /** The same, as the process knows it that serves the channels, whichever that is. */
  readonly status: () => Promise<readonly ChannelView[]>;
  /** Starts the account again at once, with the config as it stands on disk. @throws PincerError `channel_unknown` */
  readonly restart: (channel: string, accountId: string) => Promise<void>;
  /** Those that wait and have not expired, oldest first. */
  readonly pairings: () => Promise<readonly PairingRequest[]>;
  /** Lets the sender of a code in. @throws PincerError `pairing_unknown` */
  readonly approve: (code: string, as: 'sender' | 'owner') => Promise<PairedSender>;
  /** Takes a request off; the same sender may ask again. @throws PincerError `pairing_unknown` */
  readonly deny: (code: string) => Promise<void>;
  readonly paired: () => Promise<readonly PairedSender[]>;
  /** @throws PincerError `pairing_unknown` */
  readonly unpair: (channel: string, senderId: string, accountId?: string) => Promise<void>;
  /** Newest first. */
  readonly conversations: () => Promise<readonly ConversationView[]>;
  /** While it is taken over the agent stays silent; messages still come in. @throws PincerError `conversation_unknown` */
  readonly takeOver: (conversationId: string, isTakenOver: boolean) => Promise<void>;
  /** @throws PincerError `conversation_unknown` */
  readonly mute: (conversationId: string, isMuted: boolean) => Promise<void>;
  /** @throws PincerError `conversation_unknown` */
  readonly markRead: (conversationId: string) => Promise<void>;
  /** Sends the user's own words there. @throws PincerError `conversation_unknown`, `channel_not_running`, `channel_send_failed` */
  readonly send: (conversationId: string, text: string) => Promise<void>;
  /** Newest last; of one channel, or of all. */
  readonly logs: (channel?: string) => Promise<readonly ChannelLogLine[]>;
}
