// Threat: anybody who knows the address of a bot writes what they like, as often as they like, under any name. So a message is data: it is
// measured, known by its id, judged by who sent it, and answered by a turn that reads and does not change anything. It stands on the disk
// before its channel hears that it was taken, and what was cut off by a crash is told, never begun again by itself.
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage } from '../base/errors.ts';
import type { ImagePart } from '../contracts/message.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Clock } from '../host/ports.ts';
import type { RemoteAnswer } from '../agent/remoteTurn.ts';
import type { ChannelsConfig } from '../config/sections/channelsSection.ts';
import type { AgentRoute } from '../agents/resolveRoute.ts';
import { admit, askToPair, groupContext, isInNamedGroup, isNamed } from './admitSender.ts';
import { groupIdsOf, groupTools, readAccess, type AccessConfig, type ToolLists } from './channelPolicy.ts';
import type { PairedSender, PairingRequest } from './channels.ts';
import type { Accounts, RunningAccount } from './createAccounts.ts';
import type { Conversation, ConversationStore } from './createConversationStore.ts';
import { createRateLimiter, measured, type RateVerdict } from './createRateLimiter.ts';
import { createKeyedQueue } from './createKeyedQueue.ts';
import type { InboundMessage, UnfinishedMessage, MessageJournal } from './createMessageJournal.ts';
import type { Pairing } from './createPairing.ts';
import {
  claimDispatch,
  claimInbound,
  claimReply,
  contextOf,
  tellReceived,
  tellSent,
} from './inboundHooks.ts';
import { sendAnswer, showTyping, type ReplyPort } from './sendReply.ts';

/** What became of a message. */
export type InboundOutcome = 'answered' | 'silent' | 'dropped' | 'duplicate' | 'failed';

export interface InboundTurn {
  readonly conversation: Conversation;
  readonly message: InboundMessage;
  readonly isOwner: boolean;
  readonly toolLists: readonly { readonly label: string; readonly lists: ToolLists }[];
  readonly images: readonly ImagePart[];
  /** `reply_dispatch`; true where a plugin has taken the delivery over. */
  readonly dispatch: (text: string, runId: string) => Promise<boolean>;
  /** Says something to the sender while the turn runs; false where it did not go out. Never rejects. */
  readonly say: (text: string) => Promise<boolean>;
}

/** How a turn ended, as its sender gets to know it. */
export type TurnEnd =
  | { readonly kind: 'answer'; readonly answer: RemoteAnswer; readonly runId: string }
  | { readonly kind: 'silent' }
  /** Words for the sender in place of an answer. */
  | { readonly kind: 'notice'; readonly text: string }
  /** The program ends: nothing is said now, and what was cut off is told later. */
  | { readonly kind: 'ends' };

interface InboundDeps {
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'find' | 'note' | 'running'>;
  readonly pairing: Pairing;
  readonly conversations: ConversationStore;
  readonly journal: MessageJournal;
  readonly hooks: HookRunner;
  readonly config: () => ChannelsConfig;
  readonly route: (message: InboundMessage) => AgentRoute & { readonly sessionKey: string };
  /** Names that a group calls the agent by. */
  readonly namesOf: (agentId: string) => readonly string[];
  readonly runTurn: (turn: InboundTurn) => Promise<TurnEnd>;
  /** Keeps a message in its session without a turn: a person answers it. */
  readonly keep: (conversation: Conversation, message: InboundMessage) => Promise<void>;
  readonly readImages: (message: InboundMessage) => Promise<readonly ImagePart[]>;
  /** Sends by the channel's own adapter, where no reply port is left. Rejects where it did not take it. */
  readonly send: (account: RunningAccount, to: InboundMessage, text: string) => Promise<void>;
  /** A paired owner answers a question of its own conversation, by `/approve <id> once` or `deny`: what it is told. */
  readonly approve: (sessionKey: string, words: string) => string;
  /** Words came in while a question of this conversation waits: it is denied. */
  readonly answeredInWords: (sessionKey: string) => void;
  readonly pairingRequested: (request: PairingRequest) => void;
  readonly log: (message: InboundMessage, level: 'info' | 'warn' | 'error', text: string) => void;
  readonly changed: () => void;
  /** Aborts when the channels stop. */
  readonly signal: () => AbortSignal;
}

/** Takes messages of channels, one after the other for each conversation. */
export interface Inbound {
  /**
   * Takes a message over and sees to its answer; resolves once that is sent.
   * @throws PincerError `io_*` before it is taken: its channel brings it again
   */
  receive(account: RunningAccount, message: InboundMessage, reply: ReplyPort): Promise<InboundOutcome>;
  /** Sees to what an earlier process has left, as far as its accounts run. Never rejects. */
  recover(): Promise<void>;
  /** What an earlier process has left. */
  left(messages: readonly UnfinishedMessage[]): void;
  /** Resolves when no message is worked on. */
  settled(): Promise<void>;
}

/** Words that answer a question, where one waits. */
const isAnswer = /^\s*\/approve(?:\s|$)/iu;
const tooManyText =
  'Too many messages at once: the last ones were not taken. Please send them again when I have answered.';
const defaultTurnsPerDay = 200;
/** What strangers can't use up of the turns of a day. */
const keptShare = 1 / 5;

/** A message that its channel hands over. */
interface IncomingMessage {
  readonly account: RunningAccount;
  readonly message: InboundMessage;
  readonly reply: ReplyPort;
}

interface JournaledMessage extends IncomingMessage {
  /** Its key in the journal. */
  readonly key: string;
}

/** One that is let in, and is to be answered by a turn. */
interface Admitted extends JournaledMessage {
  readonly conversation: Conversation;
  readonly access: AccessConfig;
  readonly isPairedOwner: boolean;
  /** The user's lists and pairings don't name its sender. */
  readonly isStranger: boolean;
}

/** The way of a message: `receive` takes it over, `work` sees it through, `judge` lets it in, `answer` runs the turn. */
export function createInbound(deps: InboundDeps): Inbound {
  const { clock, accounts, conversations, journal, pairing } = deps;
  const limiter = createRateLimiter(clock);
  const conversationQueue = createKeyedQueue();
  /** Who sent them is looked up one after the other: messages stay in the order they came in. */
  const lookUp = createSerialQueue();
  let left: readonly UnfinishedMessage[] = [];

  const findPaired = ({ channel, accountId, senderId }: InboundMessage): Promise<PairedSender | undefined> =>
    pairing.find({ channel, accountId, senderId });

  /** Says something that is no answer; where it can't be said, that is a line of the log, and false. */
  const tell = async (message: InboundMessage, reply: ReplyPort, text: string): Promise<boolean> => {
    try {
      await reply.deliver(text, 'notice');
      accounts.note(message.channel, message.accountId, 'outbound');
      return true;
    } catch (error) {
      deps.log(message, 'warn', `a notice could not be sent: ${errorMessage(error)}`);
      return false;
    }
  };
  /** Where a plugin took a message over: its words, if it has any. */
  const tellClaimed = async (
    { message, reply }: JournaledMessage,
    words: string,
  ): Promise<InboundOutcome> => {
    if (words === '') return 'silent';
    await tell(message, reply, words);
    return 'answered';
  };

  const receive: Inbound['receive'] = async (account, raw, reply) => {
    accounts.note(raw.channel, raw.accountId, 'inbound');
    // Measured: what is too long is cut, and what comes too often is not even written down.
    const message = measured(raw);
    const { sessionKey } = deps.route(message);
    const given = { account, message, reply };
    const ofSender = limiter.ofSender(message);
    if (ofSender !== 'in') return await tooFast(given, sessionKey, ofSender);
    const paired = await lookUp(() => findPaired(message));
    const isKnown = paired !== undefined || isNamed(account, message);
    const ofAccount = limiter.ofAccount(message, isKnown);
    if (ofAccount !== 'in') return await tooFast(given, sessionKey, ofAccount);
    const isOwner = message.kind === 'direct' && paired?.isOwner === true;
    // What may end the wait of all others has to get past them. What was forwarded is no word of the owner's.
    if (isOwner && message.forwardedFrom === undefined && isAnswer.test(message.text))
      return await takeAnswer(given, sessionKey);
    const place = limiter.place(message, sessionKey, isKnown);
    if (place !== 'in') return await tooFast(given, sessionKey, place);
    try {
      const key = await take(given);
      if (key === undefined) return 'duplicate';
      if (isOwner) deps.answeredInWords(sessionKey);
      return await conversationQueue.run(sessionKey, () => work({ ...given, key }));
    } finally {
      limiter.giveBack(sessionKey, isKnown);
    }
  };

  /** Known by its id, and on the disk before anybody hears that it was taken. Undefined where it was taken before. */
  const take = async ({ message, reply }: IncomingMessage): Promise<string | undefined> => {
    const key = await journal.take(message);
    try {
      await reply.adopted();
    } catch (error) {
      // Its channel may bring it again, and then it is known: whoever does not answer now never does.
      deps.log(
        message,
        'warn',
        `its channel was not told of a message that was taken: ${errorMessage(error)}`,
      );
    }
    return key;
  };

  /** Drops it; who was let in is told, once a minute, where the answer would stand in a conversation of theirs alone. */
  const tooFast = async (
    { account, message, reply }: IncomingMessage,
    sessionKey: string,
    verdict: RateVerdict,
  ): Promise<InboundOutcome> => {
    if (verdict === 'over') return 'dropped';
    deps.log(message, 'warn', 'messages come faster than they are answered: dropped');
    const mayHear =
      message.kind === 'direct' &&
      (isNamed(account, message) || (await lookUp(() => findPaired(message))) !== undefined) &&
      (await conversations.find(sessionKey))?.isMuted !== true;
    if (mayHear) await tell(message, reply, tooManyText);
    return 'dropped';
  };

  /** An owner's answer to a question, which must not wait behind the turn that asks. */
  const takeAnswer = async (given: IncomingMessage, sessionKey: string): Promise<InboundOutcome> => {
    const { message, reply } = given;
    const key = await take(given);
    if (key === undefined) return 'duplicate';
    await tell(message, reply, deps.approve(sessionKey, message.text));
    await journal.mark(key, 'done');
    return 'answered';
  };

  /** Sees a message through, to its end in the journal. Rejects where not even that can be written. */
  const work = async (taken: JournaledMessage): Promise<InboundOutcome> => {
    const { key, message, reply } = taken;
    // Whoever comes next takes it up from the disk.
    if (deps.signal().aborted) return 'silent';
    try {
      const reception = await handle(taken);
      if (reception !== undefined) await journal.mark(key, 'done');
      return reception ?? 'silent';
    } catch (error) {
      if (deps.signal().aborted) return 'silent';
      deps.log(message, 'error', `a message could not be answered: ${errorMessage(error)}`);
      await journal.mark(key, 'done');
      await tell(message, reply, 'Something went wrong here, and your message could not be answered.');
      return 'failed';
    } finally {
      deps.changed();
    }
  };

  /** Undefined where the program ends in the middle. */
  const handle = async (taken: JournaledMessage): Promise<InboundOutcome | undefined> => {
    const { account, message } = taken;
    const { hooks } = deps;
    const claimed = await claimInbound(hooks, message, deps.signal());
    if (claimed !== undefined) return await tellClaimed(taken, claimed);

    const admitted = await judge(taken);
    if (typeof admitted === 'string') return admitted;
    const { conversation } = admitted;
    deps.changed();
    const context = contextOf(message, conversation.id);
    tellReceived(hooks, message, context);
    if (conversation.isTakenOver) {
      await deps.keep(conversation, message);
      return 'silent';
    }

    const dispatched = await claimDispatch(hooks, message, context, deps.signal());
    if (dispatched !== undefined) return await tellClaimed(taken, dispatched);
    if (!(await beginTurn(admitted))) return 'dropped';
    return await answer(admitted, showTyping(clock, deps.log, account, message, taken.reply));
  };

  /** Lets a message in: whose conversation it is, whether the user wants to hear of it, and who may write. */
  const judge = async (taken: JournaledMessage): Promise<Admitted | InboundOutcome> => {
    const { account, message, reply } = taken;
    const { agentId, sessionKey } = deps.route(message);
    const known = await conversations.find(sessionKey);
    if (known?.isMuted === true) return 'dropped';
    const paired = await findPaired(message);
    const { entry } = account;
    const access = readAccess(entry, {
      cfg: entry.cfg(),
      accountId: message.accountId,
      account: account.account,
    });
    const admission = admit(deps.namesOf, entry, access, {
      message,
      isPaired: paired !== undefined,
      isTakenOver: known?.isTakenOver === true,
      agentId,
    });
    if (admission.kind === 'drop') {
      deps.log(message, 'info', `dropped a message: ${admission.why}`);
      return 'dropped';
    }
    if (admission.kind === 'pair')
      return await askToPair(deps, message, (text) => tell(message, reply, text));
    const { channel, accountId, kind, peerId, title, to, threadId } = message;
    const conversation = await conversations.note(
      {
        ...{ id: sessionKey, channel, accountId, kind, peerId, title, agentId, to },
        ...(threadId === undefined ? {} : { threadId }),
      },
      message.text,
    );
    const isPairedOwner = kind === 'direct' && paired?.isOwner === true;
    const isStranger = paired === undefined && !isNamed(account, message) && !isInNamedGroup(access, message);
    return { ...taken, conversation, access, isPairedOwner, isStranger };
  };

  /** False where the limit of the day is reached. Once it is true, the turn is never begun again. */
  const beginTurn = async ({ key, message, reply, isStranger }: Admitted): Promise<boolean> => {
    const all = deps.config().entries[message.channel]?.maxTurnsPerDay ?? defaultTurnsPerDay;
    const strangers = all - Math.floor(all * keptShare);
    if (await journal.begin(key, isStranger ? { all, strangers } : { all })) return true;
    const ofStrangers = isStranger
      ? `, of which ${String(strangers)} are for people you did not let in by name`
      : '';
    deps.log(
      message,
      'warn',
      `not answered: maxTurnsPerDay is reached (${String(all)} in 24 hours${ofStrangers})`,
    );
    await tell(message, reply, 'The limit of messages for today is reached. Please write again tomorrow.');
    return false;
  };

  /** Runs the turn and sends its answer. Undefined where the program ends in the middle. */
  const answer = async (admitted: Admitted, stopTyping: () => void): Promise<InboundOutcome | undefined> => {
    const { account, key, message, reply, conversation, access, isPairedOwner } = admitted;
    const { entry } = account;
    const context = contextOf(message, conversation.id);
    const turn: InboundTurn = {
      conversation,
      message,
      isOwner: isPairedOwner,
      toolLists:
        message.kind === 'direct'
          ? []
          : groupTools(entry, access, groupContext(entry, message), groupIdsOf(message)),
      images: await deps.readImages(message),
      dispatch(text, runId) {
        const failed = (level: 'warn' | 'error', what: string): void => deps.log(message, level, what);
        const claim = { message, context, reply, text, runId, cfg: entry.cfg, failed };
        return claimReply(deps.hooks, claim, deps.signal());
      },
      say: (text) => tell(message, reply, text),
    };
    const end = await deps.runTurn(turn).finally(stopTyping);
    if (end.kind === 'ends') return undefined;
    if (end.kind === 'silent') return 'silent';
    if (end.kind === 'notice') {
      await tell(message, reply, end.text);
      return 'failed';
    }
    await journal.mark(key, 'sending');
    return await sendAnswer(account, message, reply, end.answer, {
      log: deps.log,
      delivered: () => accounts.note(message.channel, message.accountId, 'outbound'),
      sent(success, error) {
        tellSent(deps.hooks, message, { ...context, runId: end.runId }, end.answer, { success, error });
      },
    });
  };

  const recoverOne = async (
    account: RunningAccount,
    { key, state, message }: UnfinishedMessage,
  ): Promise<void> => {
    const reply: ReplyPort = {
      deliver: (text) => deps.send(account, message, text),
      typing: undefined,
      adopted: () => Promise.resolve(),
    };
    if (state === 'taken') {
      await work({ account, key, message, reply });
      return;
    }
    const what =
      state === 'sending'
        ? 'The program ended while my answer to you was being sent: it may be missing or incomplete.'
        : 'The program ended while I was working on your message, so it was not answered.';
    deps.log(message, 'warn', 'a message was cut off when the program ended; its sender is told');
    await tell(
      message,
      reply,
      `${what} Nothing is repeated by itself; please ask again if you still need it.`,
    );
    // Afterwards: a notice that comes twice does no harm, one that never comes does.
    await journal.mark(key, 'told');
  };

  return {
    receive,
    left(messages) {
      left = messages;
    },
    async recover() {
      const ready = left.flatMap((each) => {
        const account = accounts.find(each.message.channel, each.message.accountId);
        return account === undefined ? [] : [{ account, each }];
      });
      left = left.filter((each) => !ready.some(({ each: one }) => one === each));
      await Promise.all(
        ready.map(({ account, each }) =>
          conversationQueue
            .run(deps.route(each.message).sessionKey, () => recoverOne(account, each))
            .catch((error: unknown) =>
              deps.log(
                each.message,
                'error',
                `a message that was left could not be taken up: ${errorMessage(error)}`,
              ),
            ),
        ),
      );
    },
    settled: () => conversationQueue.settled(),
  };
}
