import { dirname, join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import type { AgentRoute } from '../agents/resolveRoute.ts';
import type { ImagePart } from '../contracts/message.ts';
import type { ChannelsConfig } from '../config/sections/channelsSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import { ifMissing } from '../host/ifMissing.ts';
import { createWriterLock } from '../host/createWriterLock.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import {
  channelNotRunning,
  channelSendFailed,
  channelUnknown,
  conversationUnknown,
} from './channelErrors.ts';
import type { ChannelEntry } from './channelPlugin.ts';
import type { Channels, ChannelView, ConversationView, PairingRequest } from './channels.ts';
import { chunkReply, defaultChunk } from './chunkReply.ts';
import { createAccounts, type Accounts, type RunningAccount } from './createAccounts.ts';
import { createChannelLog } from './createChannelLog.ts';
import {
  createConversationStore,
  type Conversation,
  type ConversationStore,
} from './createConversationStore.ts';
import { createInbound, type Inbound, type InboundTurn, type TurnEnd } from './createInbound.ts';
import { createMessageJournal, type InboundMessage } from './createMessageJournal.ts';
import { createPairing, type Pairing } from './createPairing.ts';

interface ChannelsDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  readonly owner: ProcessOwner;
  /** Absolute: `<state>/channels`. */
  readonly folder: string;
  readonly entries: () => readonly ChannelEntry[];
  readonly config: () => ChannelsConfig;
  /** Reads the config anew: it may have been changed by hand. */
  readonly readConfig: () => Promise<void>;
  /** What a channel that runs needs beside, and does not have; as the end of a sentence. */
  readonly lacks: (entry: ChannelEntry) => string | undefined;
  /** Why no channel may run now, as the end of a sentence. */
  readonly blocked: () => string | undefined;
  readonly hooks: HookRunner;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Resolves once secrets that the config names are read. Never rejects. */
  readonly ready: () => Promise<void>;
  readonly turns: ChannelTurns;
}

/** What messages need of agents and sessions. */
interface ChannelTurns {
  readonly route: (message: InboundMessage) => AgentRoute & { readonly sessionKey: string };
  readonly namesOf: (agentId: string) => readonly string[];
  readonly run: (turn: InboundTurn, signal: AbortSignal) => Promise<TurnEnd>;
  readonly keep: (conversation: Conversation, message: InboundMessage) => Promise<void>;
  /** Keeps what a person has answered. */
  readonly keepAnswer: (conversation: Conversation, text: string) => Promise<void>;
  readonly readImages: (message: InboundMessage) => Promise<readonly ImagePart[]>;
  readonly approve: (sessionKey: string, words: string) => string;
  readonly answeredInWords: (sessionKey: string) => void;
  readonly sessionOfKey: (key: string) => Promise<string | undefined>;
}

/** The channels, and what only their plugins and the runtime use. */
export interface ChannelCore {
  readonly channels: Channels;
  readonly accounts: Accounts;
  readonly inbound: Inbound;
  readonly pairing: Pairing;
  readonly conversations: ConversationStore;
  /** Sends by the channel's own adapter. @throws PincerError `channel_send_failed` */
  readonly send: (
    account: RunningAccount,
    target: SendTarget,
    text: string,
    media?: SendMedia,
  ) => Promise<void>;
  /** A plugin has had a sender's request written down itself. */
  readonly pairingRequested: (request: PairingRequest) => void;
  /** Plugins, config or trust may have changed. */
  readonly sync: () => void;
}

export interface SendTarget {
  readonly to: string;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
}

interface SendMedia {
  /** Absolute path of a file that may be sent. */
  readonly path: string;
}

/** How soon others are told what has changed. Milliseconds. */
const statusMs = 200;
/** How often a process that does not serve looks whether it can. Milliseconds. */
const pollIntervalMs = 15_000;

export function createChannels(deps: ChannelsDeps): ChannelCore {
  const { fs, clock, folder } = deps;
  const changed: Emitter<void> = createEmitter();
  const requested: Emitter<PairingRequest> = createEmitter();
  const log = createChannelLog({ fs, clock, file: join(folder, 'log.jsonl') });
  const pairing = createPairing({ ...deps, file: join(folder, 'pairing.json') });
  const conversations = createConversationStore({ ...deps, file: join(folder, 'conversations.json') });
  const journal = createMessageJournal({ fs, clock, file: join(folder, 'messages.jsonl') });
  const lock = createWriterLock({ ...deps, folder: join(folder, 'serving') });
  const stopped = new AbortController();
  let isStarted = false;
  let serves = false;
  let cancelLook = (): void => undefined;
  let wakes: Promise<void> = Promise.resolve();

  const accounts = createAccounts({
    ...deps,
    serves: () => serves,
    log: log.write,
    changed: () => changed.fire(),
  });

  const send: ChannelCore['send'] = async ({ entry, channel, accountId }, target, text, media) => {
    const { outbound } = entry.plugin;
    const { to, threadId, replyToId } = target;
    const context = (part: string) => ({
      cfg: entry.cfg(),
      accountId,
      to,
      text: part,
      ...(threadId === undefined ? {} : { threadId }),
      ...(replyToId === undefined ? {} : { replyToId }),
      signal: stopped.signal,
    });
    const sendText = outbound?.sendText?.bind(outbound);
    const sendMedia = outbound?.sendMedia?.bind(outbound);
    let parts = chunkReply(text, outbound?.textChunkLimit ?? defaultChunk);
    try {
      if (media !== undefined) {
        if (sendMedia === undefined) throw new Error('it can not send media');
        const [caption = '', ...rest] = parts;
        const given = { mediaUrl: media.path, mediaLocalRoots: [dirname(media.path)] };
        await entry.call(`sendMedia of the channel ${channel}`, () =>
          sendMedia({ ...context(caption), ...given }),
        );
        parts = rest;
      }
      if (parts.length > 0 && sendText === undefined) throw new Error('it can not send');
      for (const part of parts)
        await entry.call(`sendText of the channel ${channel}`, () => sendText?.(context(part)));
      accounts.note(channel, accountId, 'outbound');
    } catch (error) {
      throw channelSendFailed(channel, entry.redact(redactKeys(errorMessage(error))));
    }
  };

  const pairingRequested = (request: PairingRequest): void => {
    requested.fire(request);
    changed.fire();
    const { channel, accountId, senderId, senderName, code } = request;
    const { hooks } = deps;
    if (!hooks.has('channel_pairing_requested')) return;
    const metadata = senderName === undefined ? {} : { metadata: { name: senderName } };
    void hooks.observe(
      'channel_pairing_requested',
      { channel, accountId, senderId, code, ...metadata },
      { channelId: channel, accountId, senderId },
    );
  };
  const inbound = createInbound({
    ...deps.turns,
    clock,
    accounts,
    pairing,
    conversations,
    journal,
    hooks: deps.hooks,
    config: deps.config,
    runTurn: (turn) => deps.turns.run(turn, stopped.signal),
    send: (account, { to, threadId, messageId }, text) =>
      send(account, { to, threadId, replyToId: messageId }, text),
    pairingRequested,
    log: ({ channel, accountId }, level, text) => log.write({ channel, accountId, level, text }),
    changed: () => changed.fire(),
    signal: () => stopped.signal,
  });

  const statusFile = join(folder, 'status.json');
  let cancelTelling: (() => void) | undefined;
  let told: Promise<void> = Promise.resolve();
  /** What other processes are told of the accounts. */
  const tellStatus = (): void => {
    if (!serves || !isStarted || cancelTelling !== undefined) return;
    cancelTelling = clock.after(statusMs, () => {
      cancelTelling = undefined;
      const text = JSON.stringify(accounts.views());
      // Others see it a moment later, or not: nothing here depends on it.
      told = told.then(() => fs.writeFile(statusFile, text, 'private')).catch(() => undefined);
    });
  };
  changed.event(tellStatus);

  /** Takes the right to serve where nobody else has it, and makes what runs match what is wanted. */
  const wake = async (): Promise<void> => {
    cancelLook();
    if (!isStarted) return;
    await deps.ready();
    const wants = wantsToRun(deps);
    if (wants && !serves && (await lock.tryAcquire())) {
      try {
        // Whoever does not know what was answered before must not answer.
        inbound.left(await journal.open());
        serves = true;
      } catch (error) {
        await lock.release();
        throw error;
      }
    }
    await accounts.sync();
    if (!wants && serves && accounts.running().length === 0) {
      await inbound.settled();
      serves = false;
      await lock.release();
    }
    void inbound.recover();
    if (wants && !serves) cancelLook = clock.after(pollIntervalMs, sync);
  };
  const sync = (): void => {
    wakes = wakes.then(wake).catch((error: unknown) => {
      deps.log.write('error', `The channels could not be updated: ${errorMessage(error)}`);
    });
  };
  const find = async (id: string): Promise<Conversation> => {
    const found = await conversations.find(id);
    if (found === undefined) throw conversationUnknown(id);
    return found;
  };
  const notify = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    changed.fire();
    return result;
  };

  const channels: Channels = {
    onDidChange: changed.event,
    onDidRequestPairing: requested.event,
    async start() {
      if (isStarted) return;
      isStarted = true;
      sync();
      await wakes;
    },
    async stop() {
      if (!isStarted) return;
      isStarted = false;
      cancelLook();
      cancelTelling?.();
      stopped.abort();
      await wakes;
      await accounts.close();
      await inbound.settled();
      await log.flush();
      await told;
      if (serves) await lock.release();
      serves = false;
    },
    list: accounts.views,
    async status() {
      if (serves || !(await lock.isTaken())) return accounts.views();
      return (await readStatus(fs, statusFile)) ?? accounts.views();
    },
    async restart(channel, accountId) {
      const before = accounts.find(channel, accountId);
      await deps.readConfig();
      sync();
      await wakes;
      // Other settings have started it anew.
      const now = accounts.find(channel, accountId);
      if (now !== undefined && now !== before) return;
      if (!(await accounts.restart(channel, accountId))) throw channelUnknown(channel, accountId);
    },
    pairings: pairing.requests,
    approve: async (code, as) => {
      const paired = await notify(pairing.approve(code, as === 'owner'));
      await tellApproved(accounts, paired, (text) =>
        log.write({ channel: paired.channel, accountId: paired.accountId, level: 'warn', text }),
      );
      return paired;
    },
    deny: (code) => notify(pairing.deny(code)),
    paired: pairing.paired,
    unpair: (channel, senderId, accountId) => notify(pairing.unpair(channel, senderId, accountId)),
    async conversations() {
      const all = await conversations.list();
      return await Promise.all(all.map(async (each) => viewOf(each, await deps.turns.sessionOfKey(each.id))));
    },
    takeOver: (id, isTakenOver) => notify(conversations.set(id, { isTakenOver })),
    mute: (id, isMuted) => notify(conversations.set(id, { isMuted, ...(isMuted ? { lastText: '' } : {}) })),
    markRead: (id) => notify(conversations.set(id, { unread: 0 })),
    async send(id, text) {
      const conversation = await find(id);
      const { channel, accountId, to, threadId } = conversation;
      const account = accounts.find(channel, accountId);
      if (account === undefined) throw channelNotRunning(channel, accountId);
      await send(account, { to, threadId }, text);
      await deps.turns.keepAnswer(conversation, text);
      await notify(conversations.set(id, { unread: 0, lastAt: clock.now() }));
    },
    logs: log.read,
    dispose() {
      cancelLook();
      stopped.abort();
      changed.dispose();
      requested.dispose();
    },
  };
  return { channels, accounts, inbound, pairing, conversations, send, pairingRequested, sync };
}

async function readStatus(fs: FileSystem, file: string): Promise<readonly ChannelView[] | undefined> {
  const views = parseJson(await fs.readText(file, 1_000_000).catch(ifMissing('')));
  // Its own program has written it, into a folder of the user's alone.
  return Array.isArray(views) ? (views as readonly ChannelView[]) : undefined;
}

function wantsToRun({ config, blocked, entries }: ChannelsDeps): boolean {
  const { entries: said, offByWorkspace } = config();
  const isOn = (id: string): boolean => said[id]?.enabled === true && !offByWorkspace.includes(id);
  return blocked() === undefined && entries().some(({ plugin, mayRun }) => mayRun && isOn(plugin.id));
}

/** The channel tells the sender that it was let in; where it can't, the sender finds out by writing. */
async function tellApproved(
  accounts: Accounts,
  {
    channel,
    accountId,
    senderId,
  }: { readonly channel: string; readonly accountId: string; readonly senderId: string },
  warn: (text: string) => void,
): Promise<void> {
  const account = accounts.find(channel, accountId);
  if (account === undefined) return;
  const { entry } = account;
  try {
    await entry.call(`notifyApproval of the channel ${channel}`, () =>
      entry.plugin.pairing?.notifyApproval?.({ cfg: entry.cfg(), id: senderId, accountId }),
    );
  } catch (error) {
    warn(`a sender could not be told that it was let in: ${entry.redact(errorMessage(error))}`);
  }
}

function viewOf(conversation: Conversation, sessionId: string | undefined): ConversationView {
  const { peerId: _peerId, to: _to, threadId: _threadId, ...shown } = conversation;
  return { ...shown, sessionId };
}
