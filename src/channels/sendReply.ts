import type { RemoteAnswer } from '../agent/remoteTurn.ts';
import { errorMessage } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { Clock } from '../host/ports.ts';
import { chunkReply, defaultChunk } from './chunkReply.ts';
import type { RunningAccount } from './createAccounts.ts';
import type { InboundMessage } from './createMessageJournal.ts';

/** How the answer to one message gets back to its channel. */
export interface ReplyPort {
  /** Sends one piece. Rejects where the channel did not take it. */
  readonly deliver: (text: string, kind: 'final' | 'notice') => Promise<void>;
  /** Shows that an answer is being written; undefined where the channel's own adapter has to. Must not throw. */
  readonly typing: (() => void) | undefined;
  /** The message is safely kept: its channel may forget it. */
  readonly adopted: () => Promise<void>;
}

/** Messengers forget after some seconds that somebody writes. */
const typingMs = 5_000;
/** A turn that waits for a person looks like no answer is coming, and none is. */
const maxTypingMs = 5 * 60_000;

/**
 * Shows that an answer is being written until the function that it gives is called: once where the plugin's own handler of the message
 * goes on with it, else again and again by the channel's adapter. Nothing waits for it, and one failure ends it.
 */
export function showTyping(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  log: (message: InboundMessage, level: 'info', text: string) => void,
  { entry, accountId, signal }: RunningAccount,
  message: InboundMessage,
  reply: ReplyPort,
): () => void {
  if (reply.typing !== undefined) {
    reply.typing();
    return () => undefined;
  }
  const { heartbeat, id } = entry.plugin;
  const until = clock.monotonic() + maxTypingMs;
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

/** What is told of an answer that was sent or not. */
interface SentPorts {
  readonly log: (message: InboundMessage, level: 'info' | 'error', text: string) => void;
  /** `message_sent`. */
  readonly sent: (success: boolean, error?: string) => void;
  /** The channel has taken it. */
  readonly delivered: () => void;
}

/** Sends an answer in pieces the channel takes. What did not go out is told by `message_sent`, and never sent again. Never rejects. */
export async function sendAnswer(
  { entry }: RunningAccount,
  message: InboundMessage,
  { deliver }: Pick<ReplyPort, 'deliver'>,
  { text, withheld, isDispatched }: RemoteAnswer,
  { log, sent, delivered }: SentPorts,
): Promise<'answered' | 'silent' | 'failed'> {
  if (withheld !== undefined) {
    sent(false, withheld);
    log(message, 'info', 'a plugin withheld the answer');
    return 'silent';
  }
  if (isDispatched) return 'answered';
  try {
    for (const chunk of chunkReply(text, entry.plugin.outbound?.textChunkLimit ?? defaultChunk))
      await deliver(chunk, 'final');
    delivered();
    sent(true);
    return 'answered';
  } catch (error) {
    const why = entry.redact(inertLine(errorMessage(error), 200));
    log(message, 'error', `the answer did not go out: ${why}`);
    sent(false, why);
    return 'failed';
  }
}
