// Threat: one sender, or many names of one, keep the agent and the disk busy, and those who are let in wait behind them. So each sender has a
// number of messages that it may bring in a minute, and so have all of an account together: those who are let in one of their own, which
// strangers can't use up. What is beyond is dropped before anything is written. What is not answered yet has a place of its own, in its
// conversation and among all, which is taken before anything else is waited for: messages that come together can't pass a limit together.
import { createRateLimit, type RateLimit } from '../base/createRateLimit.ts';
import { setBounded } from '../base/setBounded.ts';
import { inertLine } from '../base/text.ts';
import type { Clock } from '../host/ports.ts';
import type { InboundMessage } from './createMessageJournal.ts';
import type { SenderAddress } from './createPairing.ts';

/** `first over`: more than there may be, and not yet told in this minute. */
export type RateVerdict = 'in' | 'first over' | 'over';

interface RateLimiter {
  /** One more message of this sender. */
  ofSender(sender: SenderAddress): RateVerdict;
  /** One more message of its account; to be asked after the sender's own limit. */
  ofAccount(sender: SenderAddress, isKnown: boolean): RateVerdict;
  /** A place among the messages that are not answered yet, held until it is given back. */
  place(sender: SenderAddress, conversation: string, isKnown: boolean): RateVerdict;
  giveBack(conversation: string, isKnown: boolean): void;
}

const minuteMs = 60_000;
/** At once, and again in each minute. */
const most = { sender: 20, known: 120, strangers: 60, told: 1 } as const;
/** Not answered yet: of a conversation, and of all. Strangers leave room for those who are let in. */
const maxOpen = { known: { conversation: 20, all: 100 }, strangers: { conversation: 5, all: 60 } } as const;
const maxText = 16_000;
const maxTracked = 2_000;

type Limits = Map<string, { readonly limit: RateLimit; toldAt: number }>;

export function createRateLimiter({ monotonic }: Pick<Clock, 'monotonic'>): RateLimiter {
  /** Of accounts, which the user's config names: whoever makes names of senders up pushes none of them out. */
  const ofAccounts: Limits = new Map();
  const ofSenders: Limits = new Map();
  const take = (kind: keyof typeof most, ...place: readonly string[]): RateVerdict => {
    const key = JSON.stringify([kind, ...place]);
    const limits = kind === 'known' || kind === 'strangers' ? ofAccounts : ofSenders;
    const known = limits.get(key) ?? {
      limit: createRateLimit((most[kind] * 1_000) / minuteMs, monotonic, most[kind]),
      toldAt: -Infinity,
    };
    setBounded(limits, key, known, maxTracked);
    if (known.limit.take()) return 'in';
    if (monotonic() - known.toldAt < minuteMs) return 'over';
    known.toldAt = monotonic();
    return 'first over';
  };
  /** How many are open, by conversation. */
  const open = new Map<string, number>();
  const openOf = { known: 0, strangers: 0 };
  return {
    place({ channel, accountId, senderId }, conversation, isKnown) {
      const kind = isKnown ? 'known' : 'strangers';
      const here = open.get(conversation) ?? 0;
      const isFull =
        here >= maxOpen[kind].conversation ||
        openOf.strangers + openOf.known >= maxOpen.known.all ||
        (!isKnown && openOf.strangers >= maxOpen.strangers.all);
      if (isFull) return take('told', channel, accountId, senderId) === 'in' ? 'first over' : 'over';
      open.set(conversation, here + 1);
      openOf[kind] += 1;
      return 'in';
    },
    giveBack(conversation, isKnown) {
      const left = (open.get(conversation) ?? 0) - 1;
      if (left > 0) open.set(conversation, left);
      else open.delete(conversation);
      openOf[isKnown ? 'known' : 'strangers'] -= 1;
    },
    ofSender: ({ channel, accountId, senderId }) => take('sender', channel, accountId, senderId),
    ofAccount: ({ channel, accountId }, isKnown) => take(isKnown ? 'known' : 'strangers', channel, accountId),
  };
}

/** Texts as long as one may be; the rest is named, not kept. */
export function measured(message: InboundMessage): InboundMessage {
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
