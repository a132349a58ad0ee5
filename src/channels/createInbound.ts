// Threat: anybody who knows the address of a bot writes what they like, as often as they like, under any name. So a message is data: it is
// measured, known by its id, judged by who sent it, and answered by a turn that reads and does not change anything. It stands on the disk
// before its channel hears that it was taken, and what was cut off by a crash is told, never begun again by itself.
import { errorMessage, PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { ImagePart } from '../contracts/message.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { MessageHookContext } from '../hooks/payloads/hookContexts.ts';
import type { Clock } from '../host/ports.ts';
import type { RemoteAnswer } from '../agent/remoteTurn.ts';
import type { ChannelsConfig } from '../config/sections/channelsSection.ts';
import type { AgentRoute } from '../agents/resolveRoute.ts';
import type { ChannelEntry } from './channelPlugin.ts';
import {
  admitDirect,
  admitGroup,
  groupIdsOf,
  groupTools,
  isListed,
  mentionPatterns,
  mentions,
  readAccess,
  requiresMention,
  type AccessConfig,
  type Admission,
  type ToolLists,
} from './channelPolicy.ts';
import type { PairedSender, PairingRequest } from './channels.ts';
import { chunkReply, defaultChunk } from './chunkReply.ts';
import type { Accounts, RunningAccount } from './createAccounts.ts';
import type { Conversation, ConversationStore } from './createConversationStore.ts';
import { createFloodGate, type FloodVerdict } from './createFloodGate.ts';
import type { InboundMessage, LeftMessage, MessageJournal } from './createMessageJournal.ts';
import type { Pairing } from './createPairing.ts';

/** How the answer to one message gets back to its channel. */
export interface ReplyPort {
  /** Sends one piece. Rejects where the channel did not take it. */
  readonly deliver: (text: string, kind: 'final' | 'notice') => Promise<void>;
  /** Shows that an answer is being written; undefined where the channel's own adapter has to. Must not throw. */
  readonly typing: (() => void) | undefined;
  /** The message is safely kept: its channel may forget it. */
  readonly adopted: () => Promise<void>;
}

/** What became of a message. */
export type Reception = 'answered' | 'silent' | 'dropped' | 'duplicate' | 'failed';

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

export interface InboundDeps {
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'find' | 'note' | 'running'>;
  readonly pairing: Pairing;
  readonly conversations: ConversationStore;
  readonly journal: MessageJournal;
  readonly hooks: () => HookRunner;
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
  /** A paired owner answers a question of its own conversation. */
  readonly approve: (sessionKey: string, words: string) => string | undefined;
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
  receive(account: RunningAccount, message: InboundMessage, reply: ReplyPort): Promise<Reception>;
  /** Sees to what an earlier process has left, as far as its accounts run. Never rejects. */
  recover(): Promise<void>;
  /** What an earlier process has left. */
  left(messages: readonly LeftMessage[]): void;
  /** Resolves when no message is worked on. */
  settled(): Promise<void>;
}

const maxText = 16_000;
/** Strangers leave room for those who are let in. */
const maxWaiting = { conversation: 5, all: 100, strangers: 60 } as const;
const defaultTurnsPerDay = 200;

export function createInbound(deps: InboundDeps): Inbound {
  const { clock, accounts, conversations, journal } = deps;
  const flood = createFloodGate(clock);
  let strangersWaiting = 0;
  /** Who sent them is looked up one after the other: messages stay in the order they came in. */
  let lookups: Promise<unknown> = Promise.resolve();
  /** The last work of each conversation. */
  const lanes = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, number>();
  const working = new Set<Promise<unknown>>();
  let left: readonly LeftMessage[] = [];
  const count = (key: string, change: 1 | -1): void => {
    const now = (waiting.get(key) ?? 0) + change;
    if (now === 0) waiting.delete(key);
    else waiting.set(key, now);
  };
  const allWaiting = (): number => [...waiting.values()].reduce((sum, each) => sum + each, 0);

  const inLane = <T>(lane: string, work: () => Promise<T>): Promise<T> => {
    count(lane, 1);
    const done = (lanes.get(lane) ?? Promise.resolve()).then(work);
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    lanes.set(lane, settled);
    working.add(settled);
    void settled.then(() => {
      count(lane, -1);
      working.delete(settled);
      if (lanes.get(lane) === settled) lanes.delete(lane);
    });
    return done;
  };

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

  const receive: Inbound['receive'] = async (account, given, reply) => {
    accounts.note(given.channel, given.accountId, 'inbound');
    // 1. Measured: what is too long is cut, and what comes too often is not even written down.
    const message = measured(given);
    const { sessionKey } = deps.route(message);
    const tooFast = (verdict: FloodVerdict): Reception => {
      if (verdict !== 'over')
        deps.log(message, 'warn', 'messages come faster than they are answered: dropped');
      return 'dropped';
    };
    const ofSender = flood.ofSender(message);
    if (ofSender !== 'in') return tooFast(ofSender);
    const lookup = lookups.then(() => findPaired(deps, message));
    lookups = lookup.catch(() => undefined);
    const paired = await lookup;
    const isKnown = paired !== undefined || isNamed(account, message);
    const ofAccount = flood.ofAccount(message, isKnown);
    const isFull =
      (waiting.get(sessionKey) ?? 0) >= maxWaiting.conversation ||
      allWaiting() >= maxWaiting.all ||
      (!isKnown && strangersWaiting >= maxWaiting.strangers);
    if (ofAccount !== 'in' || isFull) return tooFast(ofAccount);
    // 2. Known by its id, and on the disk before anybody hears that it was taken.
    const key = await journal.take(message);
    if (key === undefined) {
      await reply.adopted();
      return 'duplicate';
    }
    await reply.adopted();
    // An answer to a question must not wait behind the turn that asks.
    if (message.kind === 'direct' && paired?.isOwner === true) {
      const said = deps.approve(sessionKey, message.text);
      if (said !== undefined) {
        await tell(message, reply, said);
        await journal.mark(key, 'done');
        return 'answered';
      }
      deps.answeredInWords(sessionKey);
    }
    if (!isKnown) strangersWaiting += 1;
    return await inLane(sessionKey, () => work(account, key, message, reply)).finally(() => {
      if (!isKnown) strangersWaiting -= 1;
    });
  };

  const work = async (
    account: RunningAccount,
    key: string,
    message: InboundMessage,
    reply: ReplyPort,
  ): Promise<Reception> => {
    // Whoever comes next takes it up from the disk.
    if (deps.signal().aborted) return 'silent';
    try {
      const reception = await handle(account, key, message, reply);
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
  const handle = async (
    account: RunningAccount,
    key: string,
    message: InboundMessage,
    reply: ReplyPort,
  ): Promise<Reception | undefined> => {
    const { entry } = account;
    const hooks = deps.hooks();
    // 3. A plugin may take it.
    const claimed = await claimInbound(hooks, message, deps.signal());
    if (claimed !== undefined) {
      if (claimed !== '') await tell(message, reply, claimed);
      return claimed === '' ? 'silent' : 'answered';
    }
    // 4. Whose conversation it is, and whether the user wants to hear of it.
    const route = deps.route(message);
    const known = await conversations.find(route.sessionKey);
    if (known?.isMuted === true) return 'dropped';
    // 5. Who may write.
    const paired = await findPaired(deps, message);
    const access = readAccess(entry, {
      cfg: entry.cfg(),
      accountId: message.accountId,
      account: account.account,
    });
    const admission = admit(deps, entry, access, {
      message,
      isPaired: paired !== undefined,
      isTakenOver: known?.isTakenOver === true,
      agentId: route.agentId,
    });
    if (admission.kind === 'drop') {
      deps.log(message, 'info', `dropped a message: ${admission.why}`);
      return 'dropped';
    }
    if (admission.kind === 'pair')
      return await askToPair(deps, message, (text) => tell(message, reply, text));
    // 6. Let in.
    const conversation = await conversations.note(
      {
        id: route.sessionKey,
        channel: message.channel,
        accountId: message.accountId,
        kind: message.kind,
        peerId: message.peerId,
        title: message.title,
        agentId: route.agentId,
        to: message.to,
        ...(message.threadId === undefined ? {} : { threadId: message.threadId }),
      },
      message.text,
    );
    deps.changed();
    const context = contextOf(message, route.sessionKey);
    tellReceived(hooks, message, context);
    if (conversation.isTakenOver) {
      await deps.keep(conversation, message);
      return 'silent';
    }
    const dispatched = await claimDispatch(hooks, message, context, deps.signal());
    if (dispatched !== undefined) {
      if (dispatched !== '') await tell(message, reply, dispatched);
      return dispatched === '' ? 'silent' : 'answered';
    }
    // 7. The turn. From here on it is never begun again.
    const limit = deps.config().entries[message.channel]?.maxTurnsPerDay ?? defaultTurnsPerDay;
    if (!(await journal.begin(key, limit))) {
      deps.log(
        message,
        'warn',
        `${String(limit)} messages were answered in 24 hours: that is maxTurnsPerDay`,
      );
      await tell(message, reply, 'The limit of messages for today is reached. Please write again tomorrow.');
      return 'dropped';
    }
    const stopTyping = showTyping(deps, account, message, reply);
    const isGroup = message.kind !== 'direct';
    const turn = {
      conversation,
      message,
      isOwner: !isGroup && paired?.isOwner === true,
      toolLists: isGroup ? groupTools(entry, access, groupContext(entry, message), groupIdsOf(message)) : [],
      images: await deps.readImages(message),
      dispatch: (text: string, runId: string) =>
        claimReply(deps, entry, { message, context, reply, text, runId }),
      say: (text: string) => tell(message, reply, text),
    };
    const end = await deps.runTurn(turn).finally(stopTyping);
    if (end.kind === 'ends') return undefined;
    if (end.kind === 'silent') return 'silent';
    if (end.kind === 'notice') {
      await tell(message, reply, end.text);
      return 'failed';
    }
    // 8. Out again, piece by piece.
    await journal.mark(key, 'sending');
    return await sendAnswer(
      deps,
      account,
      { message, context: { ...context, runId: end.runId }, reply },
      end.answer,
    );
  };

  const recoverOne = async (account: RunningAccount, { key, state, message }: LeftMessage): Promise<void> => {
    const reply: ReplyPort = {
      deliver: (text) => deps.send(account, message, text),
      typing: undefined,
      adopted: () => Promise.resolve(),
    };
    if (state === 'taken') {
      await work(account, key, message, reply);
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
          inLane(deps.route(each.message).sessionKey, () => recoverOne(account, each)).catch(
            (error: unknown) =>
              deps.log(
                each.message,
                'error',
                `a message that was left could not be taken up: ${errorMessage(error)}`,
              ),
          ),
        ),
      );
    },
    async settled() {
      await Promise.all(working);
    },
  };
}

/** Messengers forget after some seconds that somebody writes. */
const typingMs = 5_000;
/** A turn that waits for a person looks like no answer is coming, and none is. */
const longestTypingMs = 5 * 60_000;

/**
 * Shows that an answer is being written until the function that it gives is called: once where the plugin's own handler of the message
 * goes on with it, else again and again by the channel's adapter. Nothing waits for it, and one failure ends it.
 */
function showTyping(
  { clock, log }: Pick<InboundDeps, 'clock' | 'log'>,
  { entry, accountId, signal }: RunningAccount,
  message: InboundMessage,
  reply: ReplyPort,
): () => void {
  if (reply.typing !== undefined) {
    reply.typing();
    return () => undefined;
  }
  const { heartbeat, id } = entry.plugin;
  const until = clock.monotonic() + longestTypingMs;
  const { to, threadId } = message;
  let isOver = heartbeat?.sendTyping === undefined;
  let cancel = (): void => undefined;
  const stop = (): void => {
    isOver = true;
    cancel();
  };
  const show = async (): Promise<void> => {
    const place = { cfg: entry.cfg(), accountId, to, ...(threadId === undefined ? {} : { threadId }) };
    try {
      await entry.call(`sendTyping of the channel ${id}`, () => heartbeat?.sendTyping?.(place));
    } catch (error) {
      stop();
      log(message, 'info', `typing could not be shown: ${entry.redact(inertLine(errorMessage(error), 200))}`);
    }
    if (isOver || signal.aborted || clock.monotonic() >= until) return;
    cancel = clock.after(typingMs, () => void show());
  };
  if (!isOver) void show();
  return stop;
}

/** Texts as long as one may be; the rest is named, not kept. */
function measured(message: InboundMessage): InboundMessage {
  const { text, senderName, title } = message;
  const cut =
    text.length <= maxText
      ? text
      : `${text.slice(0, maxText)}\n[${String(text.length - maxText)} more characters were left out]`;
  return {
    ...message,
    text: cut,
    title: inertLine(title, 80),
    ...(senderName === undefined ? {} : { senderName: inertLine(senderName, 60) }),
    media: message.media.slice(0, 8),
  };
}

async function findPaired(
  { pairing }: Pick<InboundDeps, 'pairing'>,
  { channel, accountId, senderId }: InboundMessage,
): Promise<PairedSender | undefined> {
  return await pairing.find({ channel, accountId, senderId });
}

function groupContext(entry: ChannelEntry, { accountId, peerId, senderId, senderName }: InboundMessage) {
  return {
    cfg: entry.cfg(),
    accountId,
    groupId: peerId,
    senderId,
    ...(senderName === undefined ? {} : { senderName }),
  };
}

function admit(
  deps: Pick<InboundDeps, 'namesOf'>,
  entry: ChannelEntry,
  access: AccessConfig,
  facts: {
    readonly message: InboundMessage;
    readonly isPaired: boolean;
    readonly isTakenOver: boolean;
    readonly agentId: string;
  },
): Admission {
  const { message, isPaired, isTakenOver, agentId } = facts;
  if (message.kind === 'direct')
    return admitDirect(access, isPaired, isListed(entry, access.allowFrom, message.senderId));
  const context = groupContext(entry, message);
  return admitGroup(access, {
    groupIds: groupIdsOf(message),
    isSenderListed: isListed(entry, access.groupAllowFrom ?? [], message.senderId),
    wasMentioned:
      message.wasMentioned === true ||
      mentions(message.text, mentionPatterns(context.cfg, deps.namesOf(agentId))),
    requiresMention: !isTakenOver && requiresMention(entry, access, context, groupIdsOf(message)),
  });
}

/** Whether the user's lists name the sender; `*` names nobody. */
function isNamed({ entry, account }: RunningAccount, { kind, accountId, senderId }: InboundMessage): boolean {
  try {
    const access = readAccess(entry, { cfg: entry.cfg(), accountId, account });
    const list = kind === 'direct' ? access.allowFrom : (access.groupAllowFrom ?? []);
    return isListed(
      entry,
      list.filter((each) => each !== '*'),
      senderId,
    );
  } catch {
    // What a plugin throws here it throws again where the message is judged, and there it is told.
    return false;
  }
}

/** The sender is shown a code once; somebody at the machine, or with the program there, decides. */
async function askToPair(
  deps: InboundDeps,
  message: InboundMessage,
  tell: (text: string) => Promise<unknown>,
): Promise<Reception> {
  const { channel, accountId, senderId, senderName } = message;
  const asked = await deps.pairing.request({
    channel,
    accountId,
    senderId,
    ...(senderName === undefined ? {} : { senderName }),
  });
  if (asked === undefined) {
    deps.log(message, 'warn', 'a new sender was turned away: too many wait to be let in');
    return 'dropped';
  }
  if (!asked.created) return 'dropped';
  const { request } = asked;
  deps.log(message, 'info', 'a new sender waits to be let in');
  // Listeners and plugins are told there.
  deps.pairingRequested(request);
  await tell(pairingText(request.code));
  return 'silent';
}

/** What a new sender is told. Pure. */
export function pairingText(code: string): string {
  return [
    'I don’t know you yet, so I can’t answer.',
    `Give this code to the owner: ${code}`,
    `They let you in with: pincer channels pair ${code}`,
  ].join('\n');
}

function contextOf(message: InboundMessage, sessionKey: string): MessageHookContext {
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

/** The text of the plugin that took the message; empty for none, undefined where nobody did. */
async function claimInbound(
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

function tellReceived(hooks: HookRunner, message: InboundMessage, context: MessageHookContext): void {
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

async function claimDispatch(
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

interface Replying {
  readonly message: InboundMessage;
  readonly context: MessageHookContext;
  readonly reply: ReplyPort;
}

/** `reply_dispatch`: a plugin may send the answer itself, by the dispatcher or by its own means. Never rejects. */
async function claimReply(
  deps: InboundDeps,
  entry: ChannelEntry,
  { message, context, reply, text, runId }: Replying & { readonly text: string; readonly runId: string },
): Promise<boolean> {
  const hooks = deps.hooks();
  if (!hooks.has('reply_dispatch')) return false;
  const counts = { tool: 0, block: 0, final: 0 };
  const send = (kind: keyof typeof counts) => (payload: unknown) => {
    const said = replyText(payload);
    if (said === '') return false;
    counts[kind] += 1;
    void reply
      .deliver(said, 'final')
      .catch((error: unknown) =>
        deps.log(message, 'error', `what a plugin sent did not go out: ${errorMessage(error)}`),
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
  const dispatcher = {
    sendToolResult: send('tool'),
    sendBlockReply: send('block'),
    sendFinalReply: send('final'),
    getQueuedCounts: () => ({ ...counts }),
    waitForIdle: () => Promise.resolve(),
    markComplete: () => undefined,
  };
  const nothing = (): undefined => undefined;
  try {
    const claimed = await hooks.claim(
      'reply_dispatch',
      event,
      { cfg: entry.cfg(), dispatcher, recordProcessed: nothing, markIdle: nothing },
      deps.signal(),
    );
    return claimed !== undefined;
  } catch (error) {
    deps.log(message, 'warn', `reply_dispatch ended early: ${errorMessage(error)}`);
    return false;
  }
}

/** Sends an answer in pieces the channel takes. What did not go out is told by `message_sent`, and never sent again. */
async function sendAnswer(
  deps: InboundDeps,
  account: RunningAccount,
  { message, context, reply }: Replying,
  answer: RemoteAnswer,
): Promise<Reception> {
  const { text, withheld, isDispatched, entryId, metadata } = answer;
  const sent = (success: boolean, error?: string): void => {
    const hooks = deps.hooks();
    if (!hooks.has('message_sent')) return;
    const event = {
      to: message.to,
      content: text,
      success,
      ...(entryId === undefined ? {} : { messageId: entryId }),
      ...(error === undefined ? {} : { error }),
      ...(metadata === undefined ? {} : { metadata }),
    };
    void hooks.observe('message_sent', event, context);
  };
  if (withheld !== undefined) {
    sent(false, withheld);
    deps.log(message, 'info', 'a plugin withheld the answer');
    return 'silent';
  }
  if (isDispatched) return 'answered';
  try {
    for (const chunk of chunkReply(text, account.entry.plugin.outbound?.textChunkLimit ?? defaultChunk))
      await reply.deliver(chunk, 'final');
    deps.accounts.note(message.channel, message.accountId, 'outbound');
    sent(true);
    return 'answered';
  } catch (error) {
    const why = account.entry.redact(inertLine(errorMessage(error), 200));
    deps.log(message, 'error', `the answer did not go out: ${why}`);
    sent(false, why);
    return 'failed';
  }
}

/** Upstream's reply payload is a text or an object with one; anything else means silence. */
function replyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  if (typeof reply !== 'object' || reply === null || !('text' in reply)) return '';
  return typeof reply.text === 'string' ? reply.text : '';
}

/** True for a channel's message that is answered elsewhere or later: no fault of its channel. Pure. */
export function isCancelled(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'cancelled';
}
