import type { Message, Update } from 'grammy/types';

/** Something that was sent with a message. */
export interface TelegramMedia {
  readonly fileId: string;
  readonly type: string;
  readonly name: string | undefined;
  readonly size: number;
}

/** One message of a chat, as far as it matters here. */
export interface TelegramMessage {
  readonly chatId: number;
  readonly isGroup: boolean;
  /** Of the group; undefined in a chat of two. */
  readonly title: string | undefined;
  readonly messageId: number;
  /** A topic of a forum. */
  readonly threadId: number | undefined;
  readonly sender: { readonly id: number; readonly name: string; readonly username: string | undefined };
  readonly text: string;
  /** Who wrote it, where its sender only brings it: it was forwarded, or a bot made it. */
  readonly forwardedFrom: string | undefined;
  readonly media: TelegramMedia | undefined;
  readonly wasMentioned: boolean;
  readonly replyTo:
    { readonly messageId: number; readonly text: string; readonly sender: string } | undefined;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

interface Bot {
  readonly id: number;
  readonly username: string;
}

/** A message from what Telegram sends; undefined for what is none, such as edits, other bots and posts of channels. Pure. */
export function readUpdate({ message }: Update, bot: Bot): TelegramMessage | undefined {
  if (message?.from === undefined || message.from.is_bot) return undefined;
  const { chat, from } = message;
  const text = message.text ?? message.caption ?? '';
  const media = mediaOf(message);
  if (text.trim() === '' && media === undefined) return undefined;
  const { reply_to_message: reply } = message;
  return {
    chatId: chat.id,
    isGroup: chat.type !== 'private',
    title: chat.type === 'private' ? undefined : chat.title,
    messageId: message.message_id,
    threadId: message.is_topic_message === true ? message.message_thread_id : undefined,
    sender: {
      id: from.id,
      name: [from.first_name, from.last_name].filter((each) => each !== undefined).join(' '),
      username: from.username,
    },
    text,
    forwardedFrom: originOf(message),
    media,
    wasMentioned: reply?.from?.id === bot.id || mentions(message, text, bot),
    // The message that opens a topic is no answer to anything.
    replyTo:
      reply === undefined || reply.message_id === message.message_thread_id
        ? undefined
        : {
            messageId: reply.message_id,
            text: (message.quote?.text ?? reply.text ?? reply.caption ?? '').slice(0, 1_000),
            sender: reply.from?.first_name ?? '',
          },
    timestamp: message.date * 1_000,
  };
}

/** Who wrote what was forwarded; never empty, for that would make it the sender's own. */
function originOf({ forward_origin: origin, via_bot: bot }: Message): string | undefined {
  if (bot === undefined && origin === undefined) return undefined;
  const name = bot?.first_name ?? nameOf(origin) ?? '';
  return name.trim() === '' ? 'somebody' : name;
}

function nameOf(origin: Message['forward_origin']): string | undefined {
  switch (origin?.type) {
    case 'user':
      return origin.sender_user.first_name;
    case 'hidden_user':
      return origin.sender_user_name;
    case 'chat':
      return 'title' in origin.sender_chat ? origin.sender_chat.title : undefined;
    case 'channel':
      return 'title' in origin.chat ? origin.chat.title : undefined;
    default:
      // Of a kind that Telegram has added since.
      return undefined;
  }
}

/** By what Telegram itself takes for a name: a text that only looks like one names nobody. */
function mentions(message: Message, text: string, { id, username }: Bot): boolean {
  const entities = message.entities ?? message.caption_entities ?? [];
  const own = `@${username}`.toLowerCase();
  return entities.some((entity) => {
    const said = text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    if (entity.type === 'text_mention') return entity.user.id === id;
    if (entity.type === 'mention') return said === own;
    return entity.type === 'bot_command' && said.endsWith(own);
  });
}

function mediaOf({ photo, document, voice, audio, video }: Message): TelegramMedia | undefined {
  const largest = photo?.at(-1);
  if (largest !== undefined) {
    return { fileId: largest.file_id, type: 'image/jpeg', name: undefined, size: largest.file_size ?? 0 };
  }
  const file = document ?? voice ?? audio ?? video;
  if (file === undefined) return undefined;
  return {
    fileId: file.file_id,
    type: file.mime_type ?? 'application/octet-stream',
    name: 'file_name' in file ? file.file_name : undefined,
    size: file.file_size ?? 0,
  };
}
