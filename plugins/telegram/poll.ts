import type { Update, UserFromGetMe } from 'grammy/types';
import type { OffsetFile } from './offsetFile.ts';
import { TelegramError, type TelegramApi, type Wait } from './telegramApi.ts';

export interface PollParts {
  readonly api: TelegramApi;
  readonly offset: OffsetFile;
  readonly pollSeconds: number;
  readonly signal: AbortSignal;
  readonly wait: Wait;
  /** Resolves once the message is kept, whatever becomes of it. Rejects where it has to come again. */
  readonly takeOver: (update: Update, bot: UserFromGetMe) => Promise<void>;
  readonly ready: (bot: UserFromGetMe) => void;
  readonly problem: (text: string) => void;
  /** Telegram has answered: what was wrong before is over. */
  readonly heard: () => void;
}

const longestWaitMs = 60_000;

/**
 * Asks for messages until the signal aborts. Telegram forgets one only when the next one is asked for, which is after it was taken over:
 * what a crash cuts off comes again. Trouble with the net is waited out.
 * @throws TelegramError where another program asks for the same bot's messages, or the token is refused
 */
export async function poll(parts: PollParts): Promise<void> {
  const { api, signal, wait, problem } = parts;
  // Asked anew after each wait: it may have changed by then.
  const isOver = (): boolean => signal.aborted;
  let failures = 0;
  let bot: UserFromGetMe | undefined;
  while (!isOver()) {
    try {
      if (bot === undefined) {
        bot = await api.call((each, stop) => each.getMe(stop), signal);
        parts.ready(bot);
      }
      await askOnce(parts, bot);
      failures = 0;
    } catch (error) {
      if (isOver()) return;
      if (error instanceof TelegramError && isLasting(error)) throw told(error);
      failures += 1;
      problem(error instanceof Error ? error.message : 'unknown error');
      await wait(Math.min(longestWaitMs, 1_000 * 2 ** Math.min(failures - 1, 6)), signal).catch(
        () => undefined,
      );
    }
  }
}

async function askOnce(
  { api, offset, pollSeconds, signal, takeOver, heard }: PollParts,
  bot: UserFromGetMe,
): Promise<void> {
  const next = await offset.read();
  const updates = await api.call(
    (each, stop) =>
      each.getUpdates(
        {
          ...(next === undefined ? {} : { offset: next }),
          timeout: pollSeconds,
          limit: 20,
          allowed_updates: ['message'],
        },
        stop,
      ),
    signal,
  );
  heard();
  for (const update of updates) {
    if (signal.aborted) return;
    // One that came before is not taken twice, whatever the server says.
    if (next !== undefined && update.update_id < next) continue;
    await takeOver(update, bot);
    await offset.write(update.update_id + 1);
  }
}

function isLasting({ code }: TelegramError): boolean {
  return code === 401 || code === 404 || code === 409;
}

function told({ code, message }: TelegramError): TelegramError {
  return code === 409
    ? new TelegramError(
        code,
        `Another program asks for the messages of this bot: end it, or take another bot (${message}).`,
      )
    : new TelegramError(code, `Telegram refuses the token: set another one (${message}).`);
}
