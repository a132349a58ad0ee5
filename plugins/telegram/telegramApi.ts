import { Api, GrammyError, HttpError } from 'grammy/web';
import type { TelegramAccount } from './account.ts';

/** Telegram has refused a call; `code` is its own (429: too many, 409: another program asks for the same bot's messages). */
export class TelegramError extends Error {
  override readonly name = 'TelegramError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Waits; rejects when the signal aborts. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface TelegramApi {
  /** Carries a call out; where there were too many it waits as long as Telegram says. @throws TelegramError */
  call<T>(work: (api: Api, signal: never) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** A file that somebody sent. @throws TelegramError where it is larger than `maxBytes` */
  download(fileId: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array>;
}

const maxWaits = 3;
const longestWaitSeconds = 120;

/** The calls of one bot. No error of it has the token in its text. */
export function createTelegramApi(
  { token, apiRoot }: Pick<TelegramAccount, 'token' | 'apiRoot'>,
  wait: Wait = waitFor,
): TelegramApi {
  if (apiRoot === undefined) throw new TelegramError(0, 'There is no usable apiRoot.');
  const api = new Api(token, { apiRoot, timeoutSeconds: 70 });

  async function call<T>(work: (api: Api, signal: never) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let waits = 0; ; waits += 1) {
      try {
        return await work(api, signal as never);
      } catch (error) {
        signal?.throwIfAborted();
        const seconds = retryAfter(error);
        if (seconds === undefined || seconds > longestWaitSeconds || waits === maxWaits) {
          throw plainError(error, token);
        }
        await wait(seconds * 1_000, signal);
      }
    }
  }

  async function download(fileId: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
    const { file_path: path, file_size: size = 0 } = await call(
      (bot, stop) => bot.getFile(fileId, stop),
      signal,
    );
    if (path === undefined || size > maxBytes) throw tooLarge(maxBytes);
    // A path of Telegram's own; whatever else it says leads nowhere else.
    const place = path.split('/').map(encodeURIComponent).join('/');
    const options = { redirect: 'error', ...(signal === undefined ? {} : { signal }) } as const;
    try {
      const response = await fetch(`${apiRoot ?? ''}/file/bot${token}/${place}`, options);
      if (!response.ok)
        throw new TelegramError(response.status, `The file could not be read (${String(response.status)}).`);
      return await readUpTo(response, maxBytes);
    } catch (error) {
      throw plainError(error, token);
    }
  }
  return { call, download };
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // What a header says of the length is not believed.
  for await (const part of response.body ?? []) {
    size += (part as Uint8Array).byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part as Uint8Array);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function tooLarge(maxBytes: number): TelegramError {
  return new TelegramError(0, `The file is larger than ${String(Math.round(maxBytes / 1_000_000))} MB.`);
}

function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof GrammyError) || error.error_code !== 429) return undefined;
  return error.parameters.retry_after ?? 1;
}

function plainError(error: unknown, token: string): TelegramError {
  if (error instanceof TelegramError) return error;
  const withoutToken = (text: string): string => text.replaceAll(token, '…');
  if (error instanceof GrammyError) {
    return new TelegramError(error.error_code, withoutToken(`${error.method}: ${error.description}`));
  }
  const cause = error instanceof HttpError ? error.error : error;
  const text = cause instanceof Error ? cause.message : 'unknown';
  return new TelegramError(0, withoutToken(`Telegram can not be reached: ${text}`));
}

/** Real time. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
