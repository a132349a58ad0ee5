import { readFile, realpath } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { InputFile } from 'grammy/web';
import { chunkMarkdownText } from 'openclaw/plugin-sdk';
import { toHtml } from './toHtml.ts';
import { TelegramError, type TelegramApi } from './telegramApi.ts';

/** What Telegram takes in one message. */
const textLimit = 4096;
/** Leaves room for what marks cost as HTML. */
export const chunkLimit = 4000;
const captionLimit = 1000;

export interface Target {
  /** A chat's id, or `@name` of a public one; with `telegram:` in front or not. */
  readonly to: string;
  readonly threadId?: string | number | null | undefined;
  readonly replyToId?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Sent {
  readonly messageId: string;
  readonly chatId: string;
}

/** Sends a text in as many messages as it takes; only the first one is a reply. @throws TelegramError */
export async function sendText(api: TelegramApi, target: Target, text: string): Promise<Sent> {
  const chatId = chatOf(target.to);
  let first: number | undefined;
  for (const chunk of chunkMarkdownText(text, chunkLimit)) {
    const options = optionsOf(target, first === undefined);
    const send = async (words: string, more: object): Promise<number> => {
      const sent = await api.call(
        (bot, stop) => bot.sendMessage(chatId, words, { ...options, ...more }, stop),
        target.signal,
      );
      return sent.message_id;
    };
    const html = toHtml(chunk);
    const messageId =
      html.length > textLimit
        ? await send(chunk, {})
        : await send(html, { parse_mode: 'HTML' }).catch(async (error: unknown) => {
            // Marks that Telegram can't read: the words matter more.
            if (!(error instanceof TelegramError) || !/can't parse entities/iu.test(error.message))
              throw error;
            return await send(chunk, {});
          });
    first ??= messageId;
  }
  if (first === undefined) throw new TelegramError(0, 'There is nothing to send.');
  return { messageId: String(first), chatId: String(chatId) };
}

export interface MediaRequest {
  readonly text: string;
  readonly mediaUrl: string;
  readonly mediaLocalRoots?: readonly string[] | undefined;
  readonly maxBytes: number;
}

/** Sends a picture or a file with a text; an https address is read by Telegram. @throws TelegramError */
export async function sendMedia(api: TelegramApi, target: Target, request: MediaRequest): Promise<Sent> {
  const { text, mediaUrl } = request;
  const chatId = chatOf(target.to);
  const file = /^https:\/\//iu.test(mediaUrl)
    ? mediaUrl
    : new InputFile(await readLocal(request), basename(mediaUrl));
  const fits = text.length <= captionLimit;
  const options = { ...optionsOf(target, true), ...(fits && text !== '' ? { caption: text } : {}) };
  const isPicture = /\.(?:jpe?g|png|webp)$/iu.test(mediaUrl.replace(/[?#].*$/u, ''));
  const { message_id } = await api.call(
    async (bot, stop): Promise<{ readonly message_id: number }> =>
      isPicture
        ? await bot.sendPhoto(chatId, file, options, stop)
        : await bot.sendDocument(chatId, file, options, stop),
    target.signal,
  );
  if (!fits) await sendText(api, { ...target, replyToId: null }, text);
  return { messageId: String(message_id), chatId: String(chatId) };
}

/** Shows that an answer is being written, for some five seconds. */
export async function sendTyping(api: TelegramApi, { to, threadId, signal }: Target): Promise<void> {
  const thread = numberOf(threadId);
  const options = thread === undefined ? {} : { message_thread_id: thread };
  await api.call((bot, stop) => bot.sendChatAction(chatOf(to), 'typing', options, stop), signal);
}

/** Files are sent only from the folders that the host names: a link that leads out of them is none of them. */
async function readLocal({ mediaUrl, mediaLocalRoots = [], maxBytes }: MediaRequest): Promise<Uint8Array> {
  const real = await realpath(mediaUrl.replace(/^file:\/\//u, ''));
  const roots = await Promise.all(mediaLocalRoots.map((root) => realpath(root).catch(() => undefined)));
  if (!roots.some((root) => root !== undefined && real.startsWith(`${root}${sep}`))) {
    throw new TelegramError(0, 'The file lies outside of what may be sent.');
  }
  const bytes = await readFile(real);
  if (bytes.byteLength > maxBytes) {
    throw new TelegramError(0, `The file is larger than ${String(Math.round(maxBytes / 1_000_000))} MB.`);
  }
  return bytes;
}

function optionsOf({ threadId, replyToId }: Target, mayReply: boolean): object {
  const thread = numberOf(threadId);
  const reply = mayReply ? numberOf(replyToId) : undefined;
  return {
    ...(thread === undefined ? {} : { message_thread_id: thread }),
    ...(reply === undefined
      ? {}
      : { reply_parameters: { message_id: reply, allow_sending_without_reply: true } }),
    link_preview_options: { is_disabled: true },
  };
}

/** @throws TelegramError where it names no chat */
export function chatOf(to: string): number | string {
  const name = to
    .replace(/^telegram:/iu, '')
    .replace(/^(?:group|user|direct|dm|chat):/iu, '')
    .trim();
  if (/^-?\d+$/u.test(name)) return Number(name);
  if (/^@\w+$/u.test(name)) return name;
  throw new TelegramError(0, 'The target is neither the id of a chat nor @name.');
}

function numberOf(value: string | number | null | undefined): number | undefined {
  const number = Number(value ?? NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}
