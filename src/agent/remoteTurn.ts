import type { PolicyLayer } from '../tools/policy/decideToolPolicy.ts';

/** A turn that a message of a channel began: who sent it, as the channel says, and where its answer goes. */
export interface RemoteTurn {
  readonly channel: string;
  readonly accountId: string;
  /** Of the sender or the group, in the channel's words. */
  readonly conversationId: string;
  readonly senderId: string;
  /** True for a sender that the user has let in as themselves, in a direct conversation. */
  readonly isOwner: boolean;
  /** Where the answer goes, in the channel's words. */
  readonly to: string;
  readonly threadId?: string;
  /** The channel's own id of the message. */
  readonly messageId: string;
  /** The chat group, for the rules of `groups`; of a topic its own id before that of its group. */
  readonly groupIds?: readonly string[];
  /** What the group's own settings leave of the tools. */
  readonly toolLayers: readonly PolicyLayer[];
  /** `reply_dispatch`, before an answer goes out; true where a plugin has taken it over. Must not throw. */
  readonly dispatch: (text: string) => Promise<boolean>;
  /** The answer as it may go out; `withheld` says why nothing does. Called once an answer stands; must not throw. */
  readonly answered: (answer: RemoteAnswer) => void;
}

export interface RemoteAnswer {
  readonly text: string;
  /** Why it does not go out: a plugin cancelled it. */
  readonly withheld?: string;
  /** True where a plugin has taken the delivery over. */
  readonly isDispatched: boolean;
  /** Its entry in the transcript; undefined where it was not stored. */
  readonly entryId?: string;
  /** What handlers of `message_sending` made of its metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}
